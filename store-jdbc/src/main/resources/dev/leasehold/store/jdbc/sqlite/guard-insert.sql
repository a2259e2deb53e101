-- After, not before: another trigger may still change the row before it is written.
CREATE TRIGGER <insert trigger> AFTER INSERT ON <table> BEGIN
<check of new>
END
