-- Everything that can be put before what is built in: each function and operator of pg_catalog with its
-- own types, and operators for types that the built-in ones have to cast. Whichever is called counts
-- that, beyond every rollback, and fails. HOSTILE stands for the name of the schema.
CREATE SCHEMA HOSTILE;
CREATE SEQUENCE HOSTILE.calls;
CREATE FUNCTION HOSTILE.body(what text) RETURNS text LANGUAGE sql AS $body$
  SELECT format('BEGIN PERFORM pg_catalog.nextval(%L::pg_catalog.regclass); RAISE EXCEPTION %L, %L; END',
                'HOSTILE.calls', 'called: %', what)
$body$;
DO $plant$
DECLARE
  types text[] := ARRAY['smallint', 'integer', 'bigint', 'numeric', 'double precision', 'text', 'varchar',
                        'name', 'interval', 'timestamptz', 'xid8', 'oid', 'regclass', '"char"'];
  symbols text[] := ARRAY['=', '<', '>', '<=', '>=', '<>', '+', '-', '*', '||', '>>', '%', '~', '!~'];
  one record;
BEGIN
  FOR one IN
    SELECT p.proname, pg_get_function_identity_arguments(p.oid) AS given,
           pg_get_function_result(p.oid) AS result
      FROM pg_proc p
     WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f'
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION HOSTILE.%I(%s) RETURNS %s LANGUAGE plpgsql'
                     ' SET search_path = pg_catalog AS %L',
                     one.proname, one.given, one.result, HOSTILE.body(one.proname));
    EXCEPTION WHEN OTHERS THEN
      -- Some take or give what only C can.
      NULL;
    END;
  END LOOP;
  FOR one IN
    SELECT o.oprname AS symbol, nullif(o.oprleft, 0)::regtype::text AS l, o.oprright::regtype::text AS r,
           o.oprresult::regtype::text AS result, 'op_' || o.oid AS name
      FROM pg_operator o
     WHERE o.oprnamespace = 'pg_catalog'::regnamespace
    UNION ALL
    SELECT s, l, r, 'boolean', concat('op_', ls, '_', rs, '_', ss)
      FROM unnest(types) WITH ORDINALITY AS ls (l, ls)
     CROSS JOIN unnest(types) WITH ORDINALITY AS rs (r, rs)
     CROSS JOIN unnest(symbols) WITH ORDINALITY AS ss (s, ss)
     WHERE NOT EXISTS (SELECT 1 FROM pg_operator o
                        WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprname = s
                          AND o.oprleft = l::regtype AND o.oprright = r::regtype)
  LOOP
    BEGIN
      EXECUTE format('CREATE FUNCTION HOSTILE.%I(%s) RETURNS %s LANGUAGE plpgsql'
                     ' SET search_path = pg_catalog AS %L',
                     one.name, concat_ws(', ', one.l, one.r), one.result,
                     HOSTILE.body(concat_ws(' ', one.l, one.symbol, one.r)));
      EXECUTE format('CREATE OPERATOR HOSTILE.%s (FUNCTION = HOSTILE.%I, %s RIGHTARG = %s)',
                     one.symbol, one.name, 'LEFTARG = ' || one.l || ',', one.r);
    EXCEPTION WHEN OTHERS THEN
      NULL;
    END;
  END LOOP;
END
$plant$;
