-- There are no locks of rows here; the key is named so that every dialect is asked alike.
SELECT 0, 0, '', '' FROM leasehold_lease WHERE bucket = ? AND key = ? AND false
