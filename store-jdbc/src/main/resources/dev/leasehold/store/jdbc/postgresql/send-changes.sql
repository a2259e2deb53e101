-- Hints may be lost, so this commit does not wait for the disk. The setting ends with the
-- statement.
SELECT set_config('synchronous_commit', 'off', true), pg_notify(@{channel}, t.text)
  FROM unnest(?::text[]) AS t (text)
