-- Changes are only told while somebody holds these locks. They are waited for, so whatever was not
-- told is committed before anything is asked for after this. Not for longer than the client waits for
-- an answer: else a backend that nobody asks any more would wait on. The client tries again.
DO $$ BEGIN
  PERFORM set_config('lock_timeout', '3s', true);
  PERFORM pg_advisory_lock_shared(hashtext(s.store_id), n)
     FROM leasehold_store s CROSS JOIN generate_series(0, 15) AS n
    WHERE s.id = 1;
  EXECUTE format('LISTEN %I', @{channel});
END $$
