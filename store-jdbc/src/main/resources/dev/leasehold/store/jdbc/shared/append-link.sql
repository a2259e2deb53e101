-- One link a second is enough, from any process; two processes at once try the same height.
INSERT INTO leasehold_chain (height, link, incarnation, at)
SELECT n.height + 1, CAST(? AS text), n.incarnation, n.at
  FROM (SELECT coalesce((SELECT max(c.height) FROM leasehold_chain c), 0) AS height,
               s.incarnation, @{now} AS at
          FROM leasehold_store s) n
 WHERE NOT EXISTS (SELECT 1 FROM leasehold_chain l
                    WHERE l.height = n.height AND l.at > n.at - 900 AND l.at <= n.at + 900)
ON CONFLICT DO NOTHING
