-- Which of these rows another transaction has locked, without waiting for any of them. The others
-- are locked for the length of this statement.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.type, a.id
    FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS a (type, id, n)
), free AS MATERIALIZED (
  SELECT a.n
    FROM asked a
    JOIN leasehold_object o ON o.type = a.type AND o.id = a.id
     FOR UPDATE OF o SKIP LOCKED
)
SELECT o.type, o.id
  FROM asked a
  JOIN leasehold_object o ON o.type = a.type AND o.id = a.id
 WHERE a.n NOT IN (SELECT f.n FROM free f)
