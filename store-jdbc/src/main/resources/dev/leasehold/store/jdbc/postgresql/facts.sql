-- The flushed position, since writes that are not flushed may be lost in a crash of the machine.
SELECT s.store_id, s.incarnation, coalesce((SELECT f.above FROM leasehold_founding f), 0),
       s.system_id, c.system_identifier::text,
       ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint,
       (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::bigint, s.held_off_until - @{now},
       @{chain-facts}
  FROM leasehold_store s CROSS JOIN pg_control_system() c
