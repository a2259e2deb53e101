-- Functions of ours whose path has the store's schema in it call no operator that has to cast an
-- operand, and no function that takes anything: a role that may create in the schema could put one
-- there that matches better, and it would run with the rights of the caller.

-- As before, with a multiplication that needs no cast.
CREATE OR REPLACE FUNCTION leasehold_refuse_check(
  lease_store text, lease_bucket integer, lease_key text, brought bigint, instance text, most text)
RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  here text := (SELECT s.store_id FROM leasehold_store s);
  latest bigint;
  granted bigint;
  holder text;
  store_time bigint :=
    floor(date_part('epoch', clock_timestamp()) * 1000::double precision)::bigint;
BEGIN
  IF lease_store IS NULL OR here IS DISTINCT FROM lease_store THEN
    RAISE EXCEPTION 'this connection leads to store %, and the lease is in %', here,
      coalesce(lease_store, 'a store that this process refuses')
      USING ERRCODE = 'LH006',
        HINT = 'A change can be checked only in the database of its lease.';
  END IF;
  IF most IS NULL THEN
    RAISE EXCEPTION 'lease % is not trusted any more', lease_key USING ERRCODE = 'LH007',
      HINT = 'The holder could not renew it in time: stop, and acquire it again.';
  END IF;
  SELECT l.last_token, l.grant_token, l.instance_id INTO latest, granted, holder
    FROM leasehold_lease l WHERE l.bucket = lease_bucket AND l.key = lease_key COLLATE "C";
  IF granted = brought AND holder <> instance THEN
    RAISE EXCEPTION 'token % of lease % was issued to another instance: the latest is %, at store '
      'time %', brought, lease_key, latest, store_time
      USING ERRCODE = 'LH003',
        HINT = 'This database has lost writes, or the claim is not its own: see leasehold doctor.';
  END IF;
  IF latest IS NULL THEN
    latest := (SELECT f.token FROM leasehold_floor f WHERE f.bucket = lease_bucket);
  END IF;
  IF brought > latest THEN
    RAISE EXCEPTION 'token % of lease % was never issued: the latest is %, at store time %',
      brought, lease_key, latest, store_time
      USING ERRCODE = 'LH003',
        HINT = 'If it was issued, this database has lost writes: see leasehold doctor.';
  END IF;
  RAISE EXCEPTION 'token % of lease % is stale: the latest is %, at store time %',
    brought, lease_key, latest, store_time
    USING ERRCODE = 'LH002',
      HINT = 'The lease is over or was taken over: stop, and acquire it again.';
END
$body$;

-- The guard that stands before a table now, by its triggers: names may change.
CREATE OR REPLACE FUNCTION leasehold_guard_of(relation oid) RETURNS integer
LANGUAGE sql STABLE AS $body$
  SELECT g.id
    FROM leasehold_guard g
    JOIN pg_proc p ON p.proname = ('leasehold_guard_' || g.id::text)::name
    JOIN pg_class own
      ON own.oid = 'leasehold_guard'::regclass::oid AND p.pronamespace = own.relnamespace
    JOIN pg_trigger t ON t.tgfoid = p.oid
   WHERE t.tgrelid = relation
   LIMIT 1
$body$;

-- Every table that should be guarded, by catalog: the guarded ones, their partitions and heirs.
-- Whoever asks names them along their own path; what is gone has only the name that it had.
CREATE OR REPLACE FUNCTION leasehold_guard_gaps()
RETURNS TABLE (relation oid, table_name text, hole text) LANGUAGE sql STABLE AS $body$
  WITH RECURSIVE functions AS (
    SELECT g.id, g.table_name, p.oid AS function
      FROM leasehold_guard g
      LEFT JOIN (pg_proc p JOIN pg_class own
                   ON own.oid = 'leasehold_guard'::regclass::oid
                  AND p.pronamespace = own.relnamespace)
        ON p.proname = ('leasehold_guard_' || g.id::text)::name
  ), standing AS (
    SELECT f.id, t.tgrelid, t.tgname::text AS name, t.tgenabled::text AS enabled, t.tgparentid
      FROM functions f JOIN pg_trigger t ON t.tgfoid = f.function
  ), covered AS (
    SELECT DISTINCT s.id, s.tgrelid AS relation FROM standing s WHERE s.tgparentid = 0::oid
    UNION
    SELECT c.id, i.inhrelid FROM covered c JOIN pg_inherits i ON i.inhparent = c.relation
  )
  SELECT NULL::oid, f.table_name, 'the triggers of its guard are gone: install it again'
    FROM functions f WHERE NOT EXISTS (SELECT 1 FROM standing s WHERE s.id = f.id)
  UNION ALL
  SELECT s.tgrelid, NULL,
         'trigger ' || s.name || ' is '
         || CASE WHEN s.enabled = 'D' THEN 'switched off'
                 ELSE 'not fired for every session (ENABLE ALWAYS)' END
    FROM standing s WHERE s.enabled <> 'A'
  UNION ALL
  SELECT c.relation, NULL, 'changes of its rows are not guarded: install the guard again'
    FROM covered c
   WHERE NOT EXISTS (SELECT 1 FROM standing s
                      WHERE s.id = c.id AND s.tgrelid = c.relation AND s.name = 'leasehold_guard')
  UNION ALL
  SELECT c.relation, NULL, 'TRUNCATE is not guarded: install the guard again'
    FROM covered c
   WHERE NOT EXISTS (SELECT 1 FROM standing s
                      WHERE s.id = c.id AND s.tgrelid = c.relation
                        AND s.name = 'leasehold_guard_truncate')
$body$;

DO $pin$
DECLARE
  path text := 'pg_catalog, ' || pg_catalog.quote_ident(pg_catalog.current_schema()::text) || ', pg_temp';
  ours text;
BEGIN
  FOREACH ours IN ARRAY ARRAY[
    'leasehold_refuse_check(text, integer, text, bigint, text, text)',
    'leasehold_guard_of(oid)', 'leasehold_guard_gaps()']
  LOOP
    EXECUTE 'ALTER FUNCTION ' || ours || ' SET search_path = ' || path;
  END LOOP;
END
$pin$;
