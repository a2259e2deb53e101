-- The driver's busy timeout bounds the wait, and nothing the pause.
SELECT '', ?, ?
