-- The transaction has the one write lock already; nothing here can bound a pause.
SELECT ?, ?
  FROM leasehold_mark
 WHERE @{stands-at}
