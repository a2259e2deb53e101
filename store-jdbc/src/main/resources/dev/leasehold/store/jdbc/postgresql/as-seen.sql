-- Compares with the locked version, which may be newer than the one that the statement sees.
l.ctid = j.row_id
