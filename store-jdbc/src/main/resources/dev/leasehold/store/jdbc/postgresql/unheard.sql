-- Tests whether no process listens, and keeps any from starting to before this transaction is
-- committed: a listener holds all of these locks, shared. Most backends have one lock of their own;
-- if two share one, one of them announces its changes needlessly.
(SELECT pg_try_advisory_xact_lock(hashtext(u.store_id), pg_backend_pid() % 16)
   FROM leasehold_store u WHERE u.id = 1)
