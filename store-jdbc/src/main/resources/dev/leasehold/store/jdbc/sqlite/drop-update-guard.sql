DROP TRIGGER IF EXISTS <update trigger>
