@{lock-free-leases lock="FOR UPDATE OF l SKIP LOCKED"}
