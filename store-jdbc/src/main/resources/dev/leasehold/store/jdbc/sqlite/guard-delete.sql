CREATE TRIGGER <delete trigger> AFTER DELETE ON <table> BEGIN
<check of old>
END
