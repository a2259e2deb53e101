-- (sqlite-jdbc queries generated keys after a statement that begins with INSERT; this line avoids
-- that.)
INSERT INTO leasehold_change (at, changes) VALUES (@{now}, ?)
