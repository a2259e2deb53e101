-- A grant is a token and an instance: checks compare both. And a check in a user's transaction is
-- refused by an error, so that the database aborts the transaction.

-- Keeps key, token and instance id until the transaction ends, with the transaction's own id: what a
-- session was told in an earlier transaction counts for nothing. The newest comes first. Without an
-- instance id, only key and token are compared.
DROP FUNCTION IF EXISTS leasehold_bring(text, bigint);
CREATE OR REPLACE FUNCTION leasehold_bring(
  lease_key text, token bigint, instance_id text DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  xact text := pg_current_xact_id()::text;
  earlier text := coalesce(current_setting('leasehold.brought', true), '');
BEGIN
  IF lease_key IS NULL OR lease_key !~ '^[!-~]+/[!-~]+$' OR token IS NULL THEN
    RAISE EXCEPTION 'a lease is brought by its key, written kind/name, and its token'
      USING ERRCODE = 'LH005';
  END IF;
  IF instance_id !~ '^[0-9a-f]{64}$' THEN
    RAISE EXCEPTION 'an instance id is written as 64 lower-case hex digits'
      USING ERRCODE = 'LH005',
        HINT = 'It is the public id of the instance that holds the lease, not its secret.';
  END IF;
  IF split_part(earlier, ' ', 1) = xact THEN
    earlier := substr(earlier, length(xact) + 1);
  ELSE
    earlier := '';
  END IF;
  PERFORM set_config('leasehold.brought',
    concat(xact, ' ', lease_key, ' ', token, ':' || instance_id, earlier), true);
END
$body$;

-- Says why a check in a user's transaction is refused, and aborts the transaction by that.
CREATE OR REPLACE FUNCTION leasehold_refuse_check(
  lease_store text, lease_bucket integer, lease_key text, brought bigint, instance text, most text)
RETURNS text LANGUAGE plpgsql AS $body$
DECLARE
  here text := (SELECT s.store_id FROM leasehold_store s);
  latest bigint;
  granted bigint;
  holder text;
  store_time bigint := floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint;
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

-- The check of one row's key: true, or it fails. It locks: until the transaction ends nobody can end
-- or replace the grant. A lease that was renewed meanwhile is not in the way.
CREATE OR REPLACE FUNCTION leasehold_guard_admit(guard_id integer, relation oid, row_key text)
RETURNS boolean LANGUAGE plpgsql AS $body$
DECLARE
  said text[] := string_to_array(current_setting('leasehold.brought', true), ' ');
  place integer;
  brought bigint;
  instance text;
BEGIN
  IF said[1] = pg_current_xact_id()::text THEN
    place := pg_catalog.array_position(said, row_key COLLATE "C");
    -- Keys and tokens take turns, the transaction's id comes first. Behind a token and a colon
    -- stands the id of the instance that it was issued to.
    IF place % 2 = 0 THEN
      brought := split_part(said[place + 1], ':', 1)::bigint;
      instance := split_part(said[place + 1], ':', 2);
      PERFORM 1
         FROM leasehold_lease l
        CROSS JOIN leasehold_store s
        WHERE l.key = row_key COLLATE "C"
          AND l.last_token = brought AND l.grant_token = brought AND l.standing < 2
          AND brought >> 40 >= s.incarnation
          AND (instance = '' OR l.instance_id = instance)
          FOR KEY SHARE OF l;
      IF FOUND THEN
        RETURN current_setting('transaction_isolation') = 'read committed'
          OR leasehold_lock_era() > 0;
      END IF;
    END IF;
  END IF;
  IF NOT leasehold_guard_maintained(guard_id, relation) THEN
    IF instance <> '' AND EXISTS (
      SELECT 1 FROM leasehold_lease l
       WHERE l.key = row_key COLLATE "C" AND l.grant_token = brought
         AND l.instance_id <> instance) THEN
      RAISE EXCEPTION 'token % of lease % was issued to another instance', brought, row_key
        USING ERRCODE = 'LH003', TABLE = relation::regclass::text, DETAIL = row_key,
          HINT = 'This database has lost writes, or the token is not its own: see leasehold doctor.';
    END IF;
    PERFORM leasehold_guard_refuse(relation, row_key, brought);
  END IF;
  RETURN true;
END
$body$;

-- It runs in users' transactions with a search_path of its own: theirs decides nothing. The next
-- migration pins what else users call.
DO $pin$
DECLARE
  home text := (SELECT c.relnamespace::regnamespace::text FROM pg_class c
                 WHERE c.oid = 'leasehold_lease'::regclass);
BEGIN
  EXECUTE format(
    'ALTER FUNCTION %1$s.leasehold_refuse_check(text, integer, text, bigint, text, text)'
    ' SET search_path = pg_catalog, %1$s, pg_temp', home);
END
$pin$;
