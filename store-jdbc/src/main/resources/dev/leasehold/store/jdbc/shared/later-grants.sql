SELECT count(*)
  FROM (SELECT 1
          FROM leasehold_past_grant p
         WHERE p.bucket = ? AND p.key = ? AND p.token > ?
         LIMIT ?) later
