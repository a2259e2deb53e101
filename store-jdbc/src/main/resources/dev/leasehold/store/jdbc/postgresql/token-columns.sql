-- Columns of other tables that look like a fencing token, without a guard on the table. A guard on
-- a partitioned table is on its partitions, too. On the user's path, as guards.
SELECT pg_catalog.concat(n.nspname, '.', c.relname), a.attname
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_class c ON c.oid OPERATOR(pg_catalog.=) a.attrelid
JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
WHERE c.relkind::pg_catalog.text OPERATOR(pg_catalog.~) '^[rp]$' AND NOT c.relispartition
  AND a.attnum OPERATOR(pg_catalog.>) 0 AND NOT a.attisdropped
  AND a.attname::pg_catalog.text OPERATOR(pg_catalog.~*) 'fenc.*token|^lease(hold)?_token$'
  AND n.nspname::pg_catalog.text OPERATOR(pg_catalog.!~)
      '^(pg_catalog|information_schema|crdb_internal|pg_extension|pg_temp.*)$'
  AND c.relname::pg_catalog.text OPERATOR(pg_catalog.!~) '^leasehold_'
  AND leasehold_guard_of(c.oid) IS NULL
ORDER BY 1, 2
