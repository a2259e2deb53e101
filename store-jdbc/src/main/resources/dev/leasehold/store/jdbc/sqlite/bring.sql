INSERT INTO leasehold_brought (key, token) VALUES (?, ?)
ON CONFLICT (key) DO UPDATE SET token = excluded.token
