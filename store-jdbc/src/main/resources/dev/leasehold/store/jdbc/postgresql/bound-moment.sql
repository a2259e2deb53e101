-- For transactions on a lane that other commands wait for; most locks are released soon.
SET LOCAL lock_timeout = '50ms';
SET LOCAL idle_in_transaction_session_timeout = '3s'
