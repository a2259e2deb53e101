-- A page is found by its primary key, whatever the planner thinks of the table's size.
SET LOCAL lock_timeout = '1s';
SET LOCAL idle_in_transaction_session_timeout = '3s';
SET LOCAL enable_seqscan = off
