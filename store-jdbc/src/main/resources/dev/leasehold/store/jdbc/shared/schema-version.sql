SELECT s.version, s.minor FROM leasehold_schema s ORDER BY s.version DESC LIMIT 1
