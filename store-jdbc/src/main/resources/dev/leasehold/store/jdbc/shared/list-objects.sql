-- A page ends where its payloads become too much; it has one row at least.
SELECT p.type, p.id, p.version, p.created_at, p.updated_at, o.payload
  FROM (SELECT q.type, q.id, q.version, q.created_at, q.updated_at, q.size,
               sum(q.size) OVER (ORDER BY q.id) AS running
          FROM (SELECT i.type, i.id, i.version, i.created_at, i.updated_at,
                       length(i.payload) AS size
                  FROM leasehold_object i
                 WHERE i.type = ? AND i.id > ? AND i.deed < 2
                 ORDER BY i.id
                 LIMIT ?) q) p
  JOIN leasehold_object o ON o.type = p.type AND o.id = p.id
 WHERE p.running <= ? OR p.running = p.size
 ORDER BY p.id
