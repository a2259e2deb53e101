-- Guarded tables: triggers on users' tables that refuse every change which brings no current token.
-- A transaction that changes rows first names the leases under which it acts:
--   SELECT leasehold_bring('lock/report', 803158884353);

-- One row a guarded table. Its trigger function is leasehold_guard_<id>, and names the rest.
CREATE TABLE IF NOT EXISTS leasehold_guard (
  id               integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- As it was called when the guard was put there.
  table_name       text   NOT NULL,
  -- Either the column that holds the key of each row, or the one key of all rows.
  key_column       text,
  fixed_key        text,
  maintenance_role text,
  installed_by     text   NOT NULL,
  installed_at     bigint NOT NULL,
  CHECK ((key_column IS NULL) <> (fixed_key IS NULL))
);

-- Who has changed a guarded table without a token, and why: once a transaction and table.
CREATE TABLE IF NOT EXISTS leasehold_guard_pass (
  table_name text   NOT NULL,
  xact       text   NOT NULL,
  at         bigint NOT NULL,
  who        text   NOT NULL,
  reason     text   NOT NULL,
  PRIMARY KEY (at, xact, table_name)
);

-- Keeps key and token until the transaction ends, with the transaction's own id: what a session was
-- told in an earlier transaction counts for nothing. The newest comes first.
CREATE OR REPLACE FUNCTION leasehold_bring(lease_key text, token bigint) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
  xact text := pg_current_xact_id()::text;
  earlier text := coalesce(current_setting('leasehold.brought', true), '');
BEGIN
  IF lease_key !~ '^[!-~]+/[!-~]+$' OR token IS NULL THEN
    RAISE EXCEPTION 'a lease is brought by its key, written kind/name, and its token'
      USING ERRCODE = 'LH005';
  END IF;
  IF split_part(earlier, ' ', 1) = xact THEN
    earlier := substr(earlier, length(xact) + 1);
  ELSE
    earlier := '';
  END IF;
  PERFORM set_config('leasehold.brought', concat(xact, ' ', lease_key, ' ', token, earlier), true);
END
$body$;

-- For members of a table's maintenance role: lets this transaction change it, and is recorded.
CREATE OR REPLACE FUNCTION leasehold_maintain(reason text) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
  IF coalesce(btrim(reason), '') = '' THEN
    RAISE EXCEPTION 'maintenance needs a reason' USING ERRCODE = 'LH005',
      HINT = 'SELECT leasehold_maintain(''why this has to be done without a lease'')';
  END IF;
  PERFORM set_config('leasehold.maintained', concat(pg_current_xact_id(), ' ', reason), true);
END
$body$;

-- Whether this transaction may pass as maintenance; if so, that is recorded.
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
  -- Not the current user: inside of the guard that is whoever has installed it.
  IF role IS NULL OR NOT pg_has_role(session_user, role, 'MEMBER') THEN
    RETURN false;
  END IF;
  INSERT INTO leasehold_guard_pass (table_name, xact, at, who, reason)
  VALUES (relation::regclass::text, xact,
          floor(extract(epoch FROM transaction_timestamp()) * 1000)::bigint,
          session_user, substr(said, length(xact) + 2))
  ON CONFLICT DO NOTHING;
  RETURN true;
END
$body$;

-- Says why a change was refused, and what to do about it.
CREATE OR REPLACE FUNCTION leasehold_guard_refuse(relation oid, row_key text, brought bigint)
RETURNS void LANGUAGE plpgsql AS $body$
DECLARE
  said text[] := string_to_array(current_setting('leasehold.brought', true), ' ');
  at_all boolean := coalesce(said[1] = pg_current_xact_id()::text, false);
  latest bigint;
BEGIN
  IF brought IS NULL AND at_all THEN
    RAISE EXCEPTION 'a change of table % needs the token of %, and this transaction has brought '
      'those of other leases', relation::regclass, coalesce('lease ' || row_key, 'no lease at all')
      USING ERRCODE = 'LH004', TABLE = relation::regclass::text, DETAIL = coalesce(row_key, ''),
        HINT = 'A lease covers the rows that hold its key, and no others.';
  ELSIF brought IS NULL THEN
    RAISE EXCEPTION 'a change of table % needs the token of %, and this transaction has brought '
      'none', relation::regclass, coalesce('lease ' || row_key, 'the lease of each row')
      USING ERRCODE = 'LH001', TABLE = relation::regclass::text, DETAIL = coalesce(row_key, ''),
        HINT = 'Make the change through AtEffect.change, or call leasehold_bring(key, token) first '
          'in the same transaction; maintenance: leasehold_maintain(reason).';
  END IF;
  SELECT l.last_token INTO latest FROM leasehold_lease l WHERE l.key = row_key COLLATE "C";
  IF latest IS NULL OR brought > latest THEN
    -- It may have been issued after the snapshot: then the row has changed since, and locking it
    -- fails with 40001, for the transaction to be repeated.
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      PERFORM 1 FROM leasehold_lease l WHERE l.key = row_key COLLATE "C" FOR SHARE;
      IF latest IS NULL THEN
        RAISE EXCEPTION 'this transaction sees no grant of lease % yet', row_key
          USING ERRCODE = '40001', HINT = 'Repeat it: the lease may have been granted since.';
      END IF;
    END IF;
    RAISE EXCEPTION 'token % of lease % was never issued: the latest is %', brought, row_key,
      coalesce(latest::text, 'none')
      USING ERRCODE = 'LH003', TABLE = relation::regclass::text, DETAIL = row_key,
        HINT = 'If it was issued, this database has lost writes: see leasehold doctor.';
  END IF;
  RAISE EXCEPTION 'token % of lease % is stale: the latest is %', brought, row_key, latest
    USING ERRCODE = 'LH002', TABLE = relation::regclass::text, DETAIL = row_key,
      HINT = 'The lease is over or was taken over: stop, and acquire it again.';
END
$body$;

-- Holds back an advance of the incarnation until the transaction ends, or fails if its snapshot is
-- of before one. Above READ COMMITTED, where a snapshot outlives its statement.
CREATE OR REPLACE FUNCTION leasehold_lock_era() RETURNS integer LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM 1 FROM leasehold_store s FOR SHARE;
  RETURN 1;
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
BEGIN
  IF said[1] = pg_current_xact_id()::text THEN
    place := pg_catalog.array_position(said, row_key COLLATE "C");
    -- Keys and tokens take turns, the transaction's id comes first.
    IF place % 2 = 0 THEN
      brought := said[place + 1]::bigint;
      PERFORM 1
         FROM leasehold_lease l
        CROSS JOIN leasehold_store s
        WHERE l.key = row_key COLLATE "C"
          AND l.last_token = brought AND l.grant_token = brought AND l.standing < 2
          AND brought >> 40 >= s.incarnation
          FOR KEY SHARE OF l;
      IF FOUND THEN
        RETURN current_setting('transaction_isolation') = 'read committed'
          OR leasehold_lock_era() > 0;
      END IF;
    END IF;
  END IF;
  IF NOT leasehold_guard_maintained(guard_id, relation) THEN
    PERFORM leasehold_guard_refuse(relation, row_key, brought);
  END IF;
  RETURN true;
END
$body$;

-- A table whose rows have many keys is emptied under none of them.
CREATE OR REPLACE FUNCTION leasehold_guard_admit_all(guard_id integer, relation oid)
RETURNS boolean LANGUAGE plpgsql AS $body$
BEGIN
  IF NOT leasehold_guard_maintained(guard_id, relation) THEN
    RAISE EXCEPTION 'table % holds rows of many leases: no token covers a TRUNCATE',
      relation::regclass
      USING ERRCODE = 'LH004', TABLE = relation::regclass::text, DETAIL = '',
        HINT = 'Delete the rows of the lease that you hold; maintenance: leasehold_maintain(reason).';
  END IF;
  RETURN true;
END
$body$;

-- The guard that stands before a table now, by its triggers: names may change.
CREATE OR REPLACE FUNCTION leasehold_guard_of(relation oid) RETURNS integer
LANGUAGE sql STABLE AS $body$
  SELECT g.id
    FROM leasehold_guard g
    JOIN pg_proc p ON p.proname = 'leasehold_guard_' || g.id
    JOIN pg_class own ON own.oid = 'leasehold_guard'::regclass AND p.pronamespace = own.relnamespace
    JOIN pg_trigger t ON t.tgfoid = p.oid
   WHERE t.tgrelid = relation
   LIMIT 1
$body$;

CREATE OR REPLACE FUNCTION leasehold_guard_require(relation regclass, asked text) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
  kind "char";
  owner oid;
  space oid;
BEGIN
  IF relation IS NULL THEN
    RAISE EXCEPTION 'there is no table %', asked USING ERRCODE = 'LH010';
  END IF;
  SELECT c.relkind, c.relowner, c.relnamespace INTO kind, owner, space
    FROM pg_class c WHERE c.oid = relation;
  IF kind NOT IN ('r', 'p') THEN
    RAISE EXCEPTION '% is no table, and only tables can be guarded', relation
      USING ERRCODE = 'LH010';
  END IF;
  IF NOT pg_has_role(current_user, owner, 'USAGE') THEN
    RAISE EXCEPTION 'table % belongs to %: only its owner can put a guard there or take it away',
      relation, pg_get_userbyid(owner) USING ERRCODE = 'LH011';
  END IF;
  IF space = (SELECT c.relnamespace FROM pg_class c WHERE c.oid = 'leasehold_lease'::regclass)
     AND relation::text ~ '(^|\.)leasehold_' THEN
    RAISE EXCEPTION '% is a table of the store itself', relation USING ERRCODE = 'LH010';
  END IF;
END
$body$;

-- The guard of a table that is gone or has lost its triggers, by the name that the table had.
CREATE OR REPLACE FUNCTION leasehold_guard_left_of(name text) RETURNS integer
LANGUAGE sql STABLE AS $body$
  SELECT max(g.id)
    FROM leasehold_guard g
   WHERE g.table_name = name
     AND NOT EXISTS (SELECT 1
                       FROM pg_trigger t
                       JOIN pg_proc p ON p.oid = t.tgfoid
                       JOIN pg_class own ON p.pronamespace = own.relnamespace
                      WHERE own.oid = 'leasehold_guard'::regclass
                        AND p.proname = 'leasehold_guard_' || g.id)
$body$;

-- A table, its partitions and its heirs, each after those that it comes from.
CREATE OR REPLACE FUNCTION leasehold_guard_family(head oid) RETURNS SETOF regclass
LANGUAGE sql STABLE AS $body$
  WITH RECURSIVE family AS (
    SELECT head AS member, 0 AS depth
    UNION
    SELECT i.inhrelid, f.depth + 1 FROM family f JOIN pg_inherits i ON i.inhparent = f.member
  )
  SELECT f.member::regclass FROM family f GROUP BY f.member ORDER BY max(f.depth), f.member
$body$;

-- Makes the trigger function of a guard. It acts as whoever installs the guard, on rows of whatever
-- table it is attached to. So only the owner of the guarded table may attach it, as happens when a
-- partition is added; and it casts nothing but text, since other casts may be somebody's code.
CREATE OR REPLACE FUNCTION leasehold_guard_make(
  guard_id integer, key_column text, fixed_key text) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
  home text := (SELECT c.relnamespace::regnamespace::text FROM pg_class c
                 WHERE c.oid = 'leasehold_lease'::regclass);
  name text := 'leasehold_guard_' || guard_id;
  call text := format('PERFORM %s.leasehold_guard_admit(%s, TG_RELID, ', home, guard_id);
  all_rows text := call || quote_literal(fixed_key) || '::text);';
  -- A statement of its own: within one, a cast may be done before the condition is looked at.
  one_row text := CASE WHEN fixed_key IS NULL THEN format(
    $check$
      IF pg_catalog.pg_typeof(ROW.%1$I)::oid
         NOT IN ('text'::regtype::oid, 'varchar'::regtype::oid) THEN
        RAISE EXCEPTION 'column %% of table %% is no text, and keys are', %1$L, TG_RELID::regclass
          USING ERRCODE = 'LH004', TABLE = TG_RELID::regclass::text, DETAIL = '';
      END IF;
      %2$sROW.%1$I::text);
    $check$, key_column, call) END;
BEGIN
  -- Made for the table: to look a column up by its name for each row would cost more than the check.
  EXECUTE format(
    $make$
    CREATE FUNCTION %1$s.%2$I() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, %1$s, pg_temp AS $guard$
    BEGIN
      IF TG_OP = 'TRUNCATE' THEN
        %3$s
      ELSIF TG_OP = 'INSERT' THEN
        %5$s
      ELSE
        %4$s
        IF TG_OP = 'UPDATE' THEN
          %6$s
        END IF;
      END IF;
      RETURN NULL;
    END
    $guard$
    $make$,
    home,
    name,
    coalesce(all_rows,
             format('PERFORM %s.leasehold_guard_admit_all(%s, TG_RELID);', home, guard_id)),
    coalesce(all_rows, replace(one_row, 'ROW.', 'OLD.')),
    coalesce(all_rows, replace(one_row, 'ROW.', 'NEW.')),
    CASE WHEN fixed_key IS NULL
         -- Old and new are of one type.
         THEN format('IF NEW.%1$I::text COLLATE "C" IS DISTINCT FROM OLD.%1$I::text COLLATE "C" THEN ',
                     key_column)
              || call || format('NEW.%I::text); END IF;', key_column)
         ELSE 'NULL;' END);
  EXECUTE format('REVOKE EXECUTE ON FUNCTION %s.%I() FROM PUBLIC', home, name);
END
$body$;

-- Puts the triggers of a guard where they are missing: on the table, its partitions and heirs.
CREATE OR REPLACE FUNCTION leasehold_guard_attach(guard_id integer, relation regclass) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE
  guard regprocedure := (SELECT p.oid FROM pg_proc p
                           JOIN pg_class own ON p.pronamespace = own.relnamespace
                          WHERE own.oid = 'leasehold_guard'::regclass
                            AND p.proname = 'leasehold_guard_' || guard_id);
  part regclass;
BEGIN
  EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %s', guard,
                 (SELECT c.relowner::regrole FROM pg_class c WHERE c.oid = relation));
  FOR part IN SELECT leasehold_guard_family(relation)
  LOOP
    IF leasehold_guard_of(part) <> guard_id THEN
      RAISE EXCEPTION 'table % is guarded already in another way: remove that guard first', part
        USING ERRCODE = 'LH010';
    END IF;
    -- After, not before: another trigger may still change the row before it is written.
    IF NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = part AND t.tgfoid = guard
                      AND t.tgname = 'leasehold_guard') THEN
      EXECUTE format(
        'CREATE TRIGGER leasehold_guard AFTER INSERT OR UPDATE OR DELETE ON %s'
        ' FOR EACH ROW EXECUTE FUNCTION %s', part, guard);
    END IF;
    IF NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgrelid = part AND t.tgfoid = guard
                      AND t.tgname = 'leasehold_guard_truncate') THEN
      EXECUTE format(
        'CREATE TRIGGER leasehold_guard_truncate BEFORE TRUNCATE ON %s'
        ' FOR EACH STATEMENT EXECUTE FUNCTION %s', part, guard);
    END IF;
    -- Also where session_replication_role says that triggers are not to be fired.
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER leasehold_guard_truncate', part);
    EXECUTE format('ALTER TABLE %s ENABLE ALWAYS TRIGGER leasehold_guard', part);
  END LOOP;
END
$body$;

-- Puts a guard before a table, its partitions and heirs. Done again, it adds what is missing by
-- then. Returns the guard's number.
CREATE OR REPLACE FUNCTION leasehold_guard_install(
  asked text, key_column text, fixed_key text, maintenance_role text) RETURNS integer
LANGUAGE plpgsql AS $body$
DECLARE
  relation regclass := to_regclass(asked);
  type_name text;
  guard_id integer := leasehold_guard_of(relation);
BEGIN
  PERFORM leasehold_guard_require(relation, asked);
  IF guard_id IS NOT NULL THEN
    IF NOT EXISTS (
      SELECT 1 FROM leasehold_guard g
       WHERE g.id = guard_id
         AND (g.key_column, g.fixed_key, g.maintenance_role)
             IS NOT DISTINCT FROM ($2, $3, $4)) THEN
      RAISE EXCEPTION 'table % is guarded already in another way: remove that guard first', relation
        USING ERRCODE = 'LH010';
    END IF;
    PERFORM leasehold_guard_attach(guard_id, relation);
    RETURN guard_id;
  END IF;
  IF (key_column IS NULL) = (fixed_key IS NULL) THEN
    RAISE EXCEPTION 'a guard needs either the column that holds each row''s key, or one key'
      USING ERRCODE = 'LH010';
  END IF;
  IF key_column IS NOT NULL THEN
    SELECT a.atttypid::regtype::text INTO type_name
      FROM pg_attribute a
     WHERE a.attrelid = relation AND a.attname = key_column AND a.attnum > 0
       AND NOT a.attisdropped;
    IF type_name IS NULL THEN
      RAISE EXCEPTION 'table % has no column %', relation, key_column USING ERRCODE = 'LH010';
    END IF;
    IF type_name NOT IN ('text', 'character varying') THEN
      RAISE EXCEPTION 'column % of table % is of type %: keys are text, written kind/name',
        key_column, relation, type_name USING ERRCODE = 'LH010';
    END IF;
  ELSIF fixed_key !~ '^[!-~]+/[!-~]+$' THEN
    RAISE EXCEPTION 'a key is written kind/name, not %', fixed_key USING ERRCODE = 'LH010';
  END IF;
  IF maintenance_role IS NOT NULL AND to_regrole(quote_ident(maintenance_role)) IS NULL THEN
    RAISE EXCEPTION 'there is no role %', maintenance_role USING ERRCODE = 'LH010';
  END IF;

  -- What is left of an earlier guard would be told as a hole for ever.
  IF leasehold_guard_left_of(relation::text) IS NOT NULL THEN
    PERFORM leasehold_guard_remove(asked);
  END IF;
  INSERT INTO leasehold_guard (
    table_name, key_column, fixed_key, maintenance_role, installed_by, installed_at)
  VALUES (relation::text, key_column, fixed_key, maintenance_role, session_user,
          floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint)
  RETURNING id INTO guard_id;
  PERFORM leasehold_guard_make(guard_id, key_column, fixed_key);
  PERFORM leasehold_guard_attach(guard_id, relation);
  RETURN guard_id;
END
$body$;

-- Takes away everything that a guard has put on a table, its partitions and heirs. What was recorded
-- of passes stays.
CREATE OR REPLACE FUNCTION leasehold_guard_remove(asked text) RETURNS integer
LANGUAGE plpgsql AS $body$
DECLARE
  relation regclass := to_regclass(asked);
  home text := (SELECT c.relnamespace::regnamespace::text FROM pg_class c
                 WHERE c.oid = 'leasehold_lease'::regclass);
  -- A table that was dropped is still known by its name.
  guard_id integer := coalesce(
    leasehold_guard_of(relation), leasehold_guard_left_of(coalesce(relation::text, asked)));
  parent regclass;
  guard oid;
  standing record;
BEGIN
  IF guard_id IS NULL THEN
    RAISE EXCEPTION 'no guard stands before a table %', asked USING ERRCODE = 'LH010';
  END IF;
  IF relation IS NOT NULL THEN
    PERFORM leasehold_guard_require(relation, asked);
  END IF;
  guard := to_regprocedure(format('%s.%I()', home, 'leasehold_guard_' || guard_id));
  SELECT i.inhparent INTO parent
    FROM pg_inherits i
   WHERE i.inhrelid = relation AND leasehold_guard_of(i.inhparent) = guard_id;
  IF parent IS NOT NULL THEN
    RAISE EXCEPTION 'table % is guarded as a part of %: remove the guard there', relation, parent
      USING ERRCODE = 'LH010';
  END IF;
  FOR standing IN
    SELECT t.tgname, t.tgrelid::regclass AS relation
      FROM pg_trigger t
     WHERE t.tgfoid = guard AND t.tgparentid = 0
       AND t.tgrelid IN (SELECT leasehold_guard_family(relation))
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', standing.tgname, standing.relation);
  END LOOP;
  -- A partition that was detached keeps what stands before it.
  IF NOT EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgfoid = guard) THEN
    EXECUTE format('DROP FUNCTION IF EXISTS %s.%I()', home, 'leasehold_guard_' || guard_id);
    DELETE FROM leasehold_guard g WHERE g.id = guard_id;
  END IF;
  RETURN guard_id;
END
$body$;

-- Every table that should be guarded, by catalog: the guarded ones, their partitions and heirs.
CREATE OR REPLACE FUNCTION leasehold_guard_holes() RETURNS TABLE (table_name text, hole text)
LANGUAGE sql STABLE AS $body$
  WITH RECURSIVE functions AS (
    SELECT g.id, g.table_name, p.oid AS function
      FROM leasehold_guard g
      LEFT JOIN (pg_proc p JOIN pg_class own
                   ON own.oid = 'leasehold_guard'::regclass AND p.pronamespace = own.relnamespace)
        ON p.proname = 'leasehold_guard_' || g.id
  ), standing AS (
    SELECT f.id, t.tgrelid, t.tgname, t.tgenabled, t.tgparentid
      FROM functions f JOIN pg_trigger t ON t.tgfoid = f.function
  ), covered AS (
    SELECT DISTINCT s.id, s.tgrelid AS relation FROM standing s WHERE s.tgparentid = 0
    UNION
    SELECT c.id, i.inhrelid FROM covered c JOIN pg_inherits i ON i.inhparent = c.relation
  )
  SELECT f.table_name, 'the triggers of its guard are gone: install it again'
    FROM functions f WHERE NOT EXISTS (SELECT 1 FROM standing s WHERE s.id = f.id)
  UNION ALL
  SELECT s.tgrelid::regclass::text,
         format('trigger %s is %s', s.tgname,
                CASE s.tgenabled WHEN 'D' THEN 'switched off'
                                 ELSE 'not fired for every session (ENABLE ALWAYS)' END)
    FROM standing s WHERE s.tgenabled <> 'A'
  UNION ALL
  SELECT c.relation::regclass::text, 'changes of its rows are not guarded: install the guard again'
    FROM covered c
   WHERE NOT EXISTS (SELECT 1 FROM standing s
                      WHERE s.id = c.id AND s.tgrelid = c.relation AND s.tgname = 'leasehold_guard')
  UNION ALL
  SELECT c.relation::regclass::text, 'TRUNCATE is not guarded: install the guard again'
    FROM covered c
   WHERE NOT EXISTS (SELECT 1 FROM standing s
                      WHERE s.id = c.id AND s.tgrelid = c.relation
                        AND s.tgname = 'leasehold_guard_truncate')
  ORDER BY 1, 2
$body$;
