-- Checks compare instances too, without functions of ours.
SELECT 1;
