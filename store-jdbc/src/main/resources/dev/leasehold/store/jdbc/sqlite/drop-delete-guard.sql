DROP TRIGGER IF EXISTS <delete trigger>
