DROP TRIGGER IF EXISTS <insert trigger>
