-- Not for a process whose lease another one has taken over since.
INSERT INTO leasehold_housekeeping (chore, token, bucket, name, part, request, number)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (chore) DO UPDATE
   SET token = excluded.token, bucket = excluded.bucket, name = excluded.name,
       part = excluded.part, request = excluded.request, number = excluded.number
 WHERE leasehold_housekeeping.token <= excluded.token
