EXISTS (
  SELECT 1
    FROM leasehold_lease l
   WHERE l.key = ? AND l.last_token = ? AND l.grant_token = l.last_token AND l.standing < 2
     AND l.last_token >> 40 >= (SELECT s.incarnation FROM leasehold_store s)
     AND coalesce(?, l.instance_id) = l.instance_id
     -- How long it may take: nothing here ends a transaction.
     AND ? IS NOT NULL)
