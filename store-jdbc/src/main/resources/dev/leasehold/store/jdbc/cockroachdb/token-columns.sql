-- Columns of other tables that look like a fencing token. No table is guarded here.
SELECT n.nspname || '.' || c.relname, a.attname
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0 AND NOT a.attisdropped
  AND (lower(a.attname) LIKE '%fenc%token%' OR lower(a.attname) IN ('lease_token', 'leasehold_token'))
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'crdb_internal', 'pg_extension')
  AND n.nspname NOT LIKE 'pg_temp%'
  AND c.relname NOT LIKE 'leasehold!_%' ESCAPE '!'
ORDER BY 1, 2
