SELECT id, name, hash, verbs, prefixes FROM leasehold_api_key WHERE id = ?
