INSERT INTO leasehold_store (id, store_id, incarnation, held_off_until, system_id, timeline)
VALUES (1, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
