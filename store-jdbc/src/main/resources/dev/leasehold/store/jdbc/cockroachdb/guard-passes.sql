-- No table is guarded here.
SELECT '', 0, '', '' WHERE false
