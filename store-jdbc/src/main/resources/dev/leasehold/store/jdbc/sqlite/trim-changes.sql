-- The oldest come first; the last row is kept, so that numbers go on from it.
DELETE FROM leasehold_change
 WHERE seq IN (SELECT o.seq
                 FROM (SELECT c.seq, c.at FROM leasehold_change c ORDER BY c.seq LIMIT 1000) o
                WHERE o.at < ?)
   AND seq < (SELECT max(c.seq) FROM leasehold_change c)
