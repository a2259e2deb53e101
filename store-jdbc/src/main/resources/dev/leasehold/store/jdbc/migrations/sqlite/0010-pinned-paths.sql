-- There is no search path here.
SELECT 1;
