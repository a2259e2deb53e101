WITH locked AS MATERIALIZED (
  @{locked-for-effect}
)
SELECT @{current-columns}, @{era-lock}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
  LEFT JOIN locked l ON true
