DELETE FROM leasehold_api_key WHERE id = ?
