-- For transactions on a lane that others wait for: most locks are gone in a moment.
SET LOCAL lock_timeout = '50ms';
SET LOCAL idle_in_transaction_session_timeout = '3s'
