INSERT INTO leasehold_founding (id, above)
SELECT 1, CAST(? AS integer) FROM leasehold_store s WHERE s.store_id = ?
ON CONFLICT (id) DO UPDATE SET above = excluded.above
