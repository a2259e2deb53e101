-- Exactly the locked version, found without an index. If it is newer than the statement's snapshot,
-- it is not found, and so is left to the rules.
l.ctid = d.row_id
