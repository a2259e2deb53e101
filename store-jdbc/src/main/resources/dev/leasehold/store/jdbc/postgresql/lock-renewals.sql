@{lock-free-leases lock="FOR NO KEY UPDATE OF l SKIP LOCKED"}
