-- The store has no functions here, and no user can define operators.
SELECT 1;
