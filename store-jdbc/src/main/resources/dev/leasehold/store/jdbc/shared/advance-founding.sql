INSERT INTO leasehold_founding (id, above) VALUES (1, ?)
ON CONFLICT (id) DO UPDATE SET above = excluded.above
