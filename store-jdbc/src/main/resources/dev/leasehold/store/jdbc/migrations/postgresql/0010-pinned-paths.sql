-- The store's functions that run in users' transactions find their operators and functions in
-- pg_catalog, not by the caller's search path. Otherwise a role that may create in a schema of that
-- path could put an operator before a built-in one, and so change what they do.

-- As before, with a multiplication that needs no cast: this one runs in the trigger functions of
-- guards, whose path has the store's schema in it.
CREATE OR REPLACE FUNCTION leasehold_guard_maintained(guard_id integer, relation oid)
RETURNS boolean LANGUAGE plpgsql AS $body$
DECLARE
  said text := coalesce(current_setting('leasehold.maintained', true), '');
  xact text := pg_current_xact_id()::text;
  role oid;
BEGIN
  IF split_part(said, ' ', 1) <> xact THEN
    RETURN false;
  END IF;
  SELECT to_regrole(quote_ident(g.maintenance_role)) INTO role
    FROM leasehold_guard g WHERE g.id = guard_id;
  -- Not the current user: inside of the guard that is its installer.
  IF role IS NULL OR NOT pg_has_role(session_user, role, 'MEMBER') THEN
    RETURN false;
  END IF;
  INSERT INTO leasehold_guard_pass (table_name, xact, at, who, reason)
  VALUES (relation::regclass::text, xact,
          floor(date_part('epoch', transaction_timestamp()) * 1000::double precision)::bigint,
          session_user, substr(said, length(xact) + 2))
  ON CONFLICT DO NOTHING;
  RETURN true;
END
$body$;

DO $pin$
DECLARE
  home text := current_schema();
  ours record;
BEGIN
  FOR ours IN
    SELECT p.oid::regprocedure AS name, p.proname
      FROM pg_proc p
      JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = home
       AND p.proname = ANY (ARRAY[
         'leasehold_bring', 'leasehold_maintain', 'leasehold_lock_era']::name[])
  LOOP
    -- Only one of them has a table that it does not name with its schema, and no operator at all.
    IF ours.proname = 'leasehold_lock_era'::name THEN
      EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, %I, pg_temp',
                     ours.name, home);
    ELSE
      EXECUTE format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', ours.name);
    END IF;
  END LOOP;
END
$pin$;
