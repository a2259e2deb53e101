l.ctid = seen.ctid
