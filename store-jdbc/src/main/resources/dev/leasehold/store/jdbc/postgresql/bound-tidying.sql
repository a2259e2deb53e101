-- Forces plans that find a page by the primary key and in its order, even if the planner misjudges
-- the table's size: any other plan reads the whole bucket, or the whole table.
SET LOCAL lock_timeout = '1s';
SET LOCAL idle_in_transaction_session_timeout = '3s';
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
-- Without JIT: the kept plans look expensive on a large table, and compiling them each time would
-- take many times as long as the page.
SET LOCAL jit = off
