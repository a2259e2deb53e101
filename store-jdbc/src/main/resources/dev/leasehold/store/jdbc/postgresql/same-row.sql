-- The very version that is locked: found without an index. If it is newer than what the statement
-- sees, it is not found, and so is left to the rules.
l.ctid = d.row_id
