-- Finds which of these rows another transaction has locked, without waiting. The others are locked
-- for the duration of this statement.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.<outer>, a.<inner>
    FROM unnest(?::<type>[], ?::text[]) WITH ORDINALITY AS a (<outer>, <inner>, n)
), free AS MATERIALIZED (
  SELECT a.n
    FROM asked a
    JOIN <table> r ON r.<outer> = a.<outer> AND r.<inner> = a.<inner>
     FOR UPDATE OF r SKIP LOCKED
)
SELECT r.<outer>, r.<inner>
  FROM asked a
  JOIN <table> r ON r.<outer> = a.<outer> AND r.<inner> = a.<inner>
 WHERE a.n NOT IN (SELECT f.n FROM free f)
