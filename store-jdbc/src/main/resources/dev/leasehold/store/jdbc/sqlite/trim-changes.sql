-- Deletes the oldest first, and keeps the last row, so that numbers continue from it.
DELETE FROM leasehold_change
 WHERE seq IN (SELECT o.seq
                 FROM (SELECT c.seq, c.at FROM leasehold_change c ORDER BY c.seq LIMIT 1000) o
                WHERE o.at < ?)
   AND seq < (SELECT max(c.seq) FROM leasehold_change c)
