-- There are no functions of ours here, and nobody can define operators.
SELECT 1;
