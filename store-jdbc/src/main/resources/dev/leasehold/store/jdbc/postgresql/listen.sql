-- Changes are only told while somebody holds these locks. They are waited for, so whatever was not
-- told is committed before anything is asked for after this.
DO $$ BEGIN
  PERFORM pg_advisory_lock_shared(hashtext(s.store_id), n)
     FROM leasehold_store s CROSS JOIN generate_series(0, 15) AS n
    WHERE s.id = 1;
  EXECUTE format('LISTEN %I', @{channel});
END $$
