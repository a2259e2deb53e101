-- Of the version that is locked, which may be newer than the one the statement sees.
l.ctid = j.row_id
