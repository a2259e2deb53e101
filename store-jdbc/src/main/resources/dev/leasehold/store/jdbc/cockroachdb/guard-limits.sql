-- No table is guarded here.
SELECT '', '' WHERE false
