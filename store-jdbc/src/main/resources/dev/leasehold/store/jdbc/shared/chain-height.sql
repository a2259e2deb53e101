SELECT coalesce(max(height), 0) FROM leasehold_chain
