EXISTS (
  SELECT 1
    FROM leasehold_lease l
   CROSS JOIN leasehold_store s
   WHERE l.key = ? AND l.last_token = ? AND @{acts}
     AND @{era-lock} >= 0
   @{effect-lock} OF l)
