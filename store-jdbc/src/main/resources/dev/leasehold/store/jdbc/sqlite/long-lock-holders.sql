-- It does not tell who has the write lock.
SELECT 0, 0, '', '' WHERE ? < 0
