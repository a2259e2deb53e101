-- For many commands at once, each a JSON array of bucket, key and request: the row, or where there
-- is none the floor, and whether the request may be among the past ones. The transaction has the
-- write lock already.
WITH command AS MATERIALIZED (
  SELECT j.key AS place, j.value ->> 0 AS bucket, j.value ->> 1 AS key, j.value ->> 2 AS request
    FROM json_each(?) j
), store AS MATERIALIZED (
  SELECT @{now} AS clock, o.incarnation, o.held_off_until FROM leasehold_store o
)
SELECT @{lease-columns}, s.clock, s.incarnation, s.held_off_until, c.place,
       EXISTS (SELECT 1 FROM leasehold_past_grant p WHERE p.request_id = c.request)
         OR EXISTS (SELECT 1
                      FROM leasehold_request r
                     WHERE r.bucket = c.bucket AND r.key = c.key AND r.request_id = c.request),
       CASE WHEN l.key IS NULL
            THEN (SELECT f.token FROM leasehold_floor f WHERE f.bucket = c.bucket) END,
       s.clock, s.incarnation, s.held_off_until
  FROM command c CROSS JOIN store s
       LEFT JOIN leasehold_lease l ON l.bucket = c.bucket AND l.key = c.key
