-- The transaction has the write lock. The object's own binding takes
-- precedence over that of its type.
SELECT o.version, o.deed, o.request_id, o.created_at, o.updated_at, f.version, @{now}, s.incarnation,
       (SELECT x.key
          FROM leasehold_object_binding x
         WHERE x.type = a.type AND x.id IN (a.id, '')
         ORDER BY x.id DESC
         LIMIT 1),
       (SELECT max(d.version)
          FROM leasehold_object_deed d
         WHERE d.bucket = a.bucket AND d.type = a.type AND d.id = a.id
           AND d.request_id = a.request_id AND (d.deed = 2) = a.deletes),
       (SELECT d.deed
          FROM leasehold_object_deed d
         WHERE d.bucket = a.bucket AND d.type = a.type AND d.id = a.id
           AND d.request_id = a.request_id AND (d.deed = 2) = a.deletes
         ORDER BY d.version DESC
         LIMIT 1)
  FROM (SELECT ? AS bucket, ? AS type, ? AS id, ? AS request_id, ? AS deletes) a
 CROSS JOIN leasehold_store s
  JOIN leasehold_object_floor f ON f.bucket = a.bucket
  LEFT JOIN leasehold_object o ON o.type = a.type AND o.id = a.id
