-- No role passes as maintenance here.
SELECT '', 0, '', '' WHERE false
