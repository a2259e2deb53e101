INSERT INTO leasehold_anchor (number, bucket, session_key, token, served)
VALUES (?, ?, ?, ?, false), (?, ?, ?, ?, true)
