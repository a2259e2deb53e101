#!/usr/bin/env bash
# What a long-lived lease under many writers costs PostgreSQL in multixacts.
# usage: multixacts.sh SECONDS CLIENTS CHECKS   (PGHOST, PGPORT, PGUSER, PGDATABASE say where;
# a superuser, and a server where nothing else runs). CHECKS: how often a transaction checks.
set -euo pipefail
seconds=$1 clients=$2 checks=$3
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

psql -qX -v ON_ERROR_STOP=1 <<'SQL'
SET client_min_messages = warning;
DROP SCHEMA IF EXISTS multixacts CASCADE;
CREATE SCHEMA multixacts;
CREATE TABLE multixacts.lease (key text PRIMARY KEY, token bigint NOT NULL, renewed_at bigint);
CREATE TABLE multixacts.paid (id integer PRIMARY KEY, times bigint NOT NULL) WITH (fillfactor = 50);
INSERT INTO multixacts.lease VALUES ('lock/shared', 7, 0);
INSERT INTO multixacts.paid SELECT i, 0 FROM generate_series(0, 99999) i;
SQL

{
  echo '\set id :client_id * 100 + random(0, 99)'
  echo 'BEGIN;'
  for _ in $(seq "$checks"); do
    echo "SELECT 1 FROM multixacts.lease WHERE key = 'lock/shared' AND token = 7 FOR KEY SHARE;"
  done
  echo 'UPDATE multixacts.paid SET times = times + 1 WHERE id = :id;'
  echo 'COMMIT;'
} > "$folder/change.sql"

counters() {
  psql -qXAt -F ' ' -c CHECKPOINT \
    -c 'SELECT next_multixact_id, next_multi_offset FROM pg_control_checkpoint()'
}

read -r multixacts members < <(counters)
changes=$(pgbench -n -M prepared -c "$clients" -j 2 -T "$seconds" -f "$folder/change.sql" 2>&1 |
  sed -n 's/^number of transactions actually processed: \([0-9]*\).*/\1/p')
read -r multixacts_then members_then < <(counters)
echo "$changes changes; for 1,000 of them:" \
  "$(((multixacts_then - multixacts) * 1000 / changes)) multixacts," \
  "$(((members_then - members) * 1000 / changes)) members"
psql -qXAt -c "SELECT datname, mxid_age(datminmxid) || ' multixacts not frozen' FROM pg_database"
psql -qX -c 'DROP SCHEMA multixacts CASCADE' 2> /dev/null
