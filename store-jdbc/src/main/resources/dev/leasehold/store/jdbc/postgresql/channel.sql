(SELECT 'leasehold_' || replace(s.store_id, '-', '') || '_' || c.relnamespace::text
   FROM leasehold_store s
   JOIN pg_class c ON c.oid = to_regclass('leasehold_store'))
