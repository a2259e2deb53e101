-- Rows have no xmax here; the key is named so that every dialect is asked alike.
SELECT 0::bigint, 0::bigint, '', '' FROM leasehold_lease l WHERE l.bucket = ? AND l.key = ? AND false
