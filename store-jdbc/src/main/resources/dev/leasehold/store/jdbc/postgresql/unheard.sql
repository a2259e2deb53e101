-- Nobody listens, and nobody begins to before this has been committed: whoever listens has all of
-- these locks, shared. Most backends have one to themselves; where two meet, one of them tells its
-- changes in vain.
(SELECT pg_try_advisory_xact_lock(hashtext(u.store_id), pg_backend_pid() % 16)
   FROM leasehold_store u WHERE u.id = 1)
