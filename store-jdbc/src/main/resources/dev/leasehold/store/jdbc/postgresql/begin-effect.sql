-- The check, and what a change needs besides: one round trip.
WITH locked AS MATERIALIZED (
  @{locked-for-effect}
)
SELECT @{current-columns}, @{era-lock},
       @{bound-effect}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
 CROSS JOIN (SELECT ?::text AS ms) t
  LEFT JOIN locked l ON true
