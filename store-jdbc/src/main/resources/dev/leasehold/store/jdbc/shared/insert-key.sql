INSERT INTO leasehold_api_key (id, name, hash, verbs, prefixes) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (id) DO NOTHING
