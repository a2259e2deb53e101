INSERT INTO leasehold_brought (key, token, instance_id) VALUES (?, ?, ?)
ON CONFLICT (key) DO UPDATE SET token = excluded.token, instance_id = excluded.instance_id
