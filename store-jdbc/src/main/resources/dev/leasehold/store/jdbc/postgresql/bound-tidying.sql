-- A page is found by its primary key and in its order, whatever the planner thinks of the table's
-- size: any other plan reads the whole bucket, or the whole table.
SET LOCAL lock_timeout = '1s';
SET LOCAL idle_in_transaction_session_timeout = '3s';
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
-- Its plans are kept, and look as if they read much of a large table: to compile them each time
-- takes many times as long as the page.
SET LOCAL jit = off
