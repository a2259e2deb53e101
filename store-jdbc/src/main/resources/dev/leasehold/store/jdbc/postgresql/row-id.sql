l.ctid
