-- Two numbers more, and the second of them. They begin with the incarnation, as tokens do.
UPDATE leasehold_anchor_last
   SET number = 2 + CASE
         WHEN number < (SELECT s.incarnation FROM leasehold_store s) * 1099511627776
         THEN (SELECT s.incarnation FROM leasehold_store s) * 1099511627776
         ELSE number END
RETURNING number
