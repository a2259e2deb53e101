WITH locked AS MATERIALIZED (
  SELECT f.token FROM leasehold_floor f WHERE f.bucket = ? <lock>
)
SELECT l.token, @{now}, s.incarnation, s.held_off_until
  FROM locked l CROSS JOIN leasehold_store s
