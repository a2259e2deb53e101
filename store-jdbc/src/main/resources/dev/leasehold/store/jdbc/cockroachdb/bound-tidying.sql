SET LOCAL lock_timeout = '1s';
SET LOCAL idle_in_transaction_session_timeout = '3s'
