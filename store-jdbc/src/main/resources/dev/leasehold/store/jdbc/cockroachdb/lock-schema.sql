-- Migrations are idempotent there, and run one statement at a time.
SELECT 1
