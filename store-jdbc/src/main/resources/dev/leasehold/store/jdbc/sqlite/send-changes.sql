-- (sqlite-jdbc asks for generated keys after whatever begins with INSERT; this line spares that.)
INSERT INTO leasehold_change (at, changes) VALUES (@{now}, ?)
