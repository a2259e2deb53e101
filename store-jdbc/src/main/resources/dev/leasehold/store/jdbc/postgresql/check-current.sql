WITH locked AS MATERIALIZED (
  @{locked-for-effect}
)
SELECT @{current-columns}, @{incarnation-lock-anywhere}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket OPERATOR(pg_catalog.=) ?::integer
  LEFT JOIN locked l ON true
