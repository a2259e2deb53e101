SELECT s.store_id, s.incarnation, s.system_id, c.system_identifier::text,
       ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
       (pg_current_wal_lsn() - '0/0'::pg_lsn)::bigint
  FROM leasehold_store s CROSS JOIN pg_control_system() c
