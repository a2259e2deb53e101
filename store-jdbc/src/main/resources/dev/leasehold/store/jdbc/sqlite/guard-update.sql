CREATE TRIGGER <update trigger> AFTER UPDATE ON <table> BEGIN
<check of old>
<check of new>
END
