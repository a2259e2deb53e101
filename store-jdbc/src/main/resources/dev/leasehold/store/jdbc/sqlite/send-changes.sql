INSERT INTO leasehold_change (at, changes) VALUES (@{now}, ?)
