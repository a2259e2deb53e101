l.ctid = j.row_id
