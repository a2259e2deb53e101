-- Nobody can put an operator before a built-in one here. The number keeps the versions in step.
SELECT 1;
