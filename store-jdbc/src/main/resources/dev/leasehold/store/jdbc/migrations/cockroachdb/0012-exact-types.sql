-- Here no user can define operators. This empty step keeps the version numbers equal on all
-- databases.
SELECT 1;
