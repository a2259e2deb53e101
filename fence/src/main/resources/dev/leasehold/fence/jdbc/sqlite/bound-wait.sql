-- The driver's busy timeout bounds it.
SELECT ?
