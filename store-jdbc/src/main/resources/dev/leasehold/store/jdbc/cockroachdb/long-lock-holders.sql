-- It does not tell who has a row locked.
SELECT 0, 0, '', '' WHERE ? < 0
