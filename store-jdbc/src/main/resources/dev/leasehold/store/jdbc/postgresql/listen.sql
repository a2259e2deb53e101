-- Writers announce changes only while a listener holds these locks. This statement waits for the
-- locks, so a change that was not announced is committed before the listener reads anything. It
-- waits no longer than the client waits for an answer, since otherwise the backend would wait on
-- after its client has left. The client tries again.
DO $$ BEGIN
  PERFORM set_config('lock_timeout', '3s', true);
  PERFORM pg_advisory_lock_shared(hashtext(s.store_id), n)
     FROM leasehold_store s CROSS JOIN generate_series(0, 15) AS n
    WHERE s.id = 1;
  EXECUTE format('LISTEN %I', @{channel});
END $$
