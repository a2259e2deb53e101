-- A snapshot from before an advance would not see it; the store's row does. In a function, which
-- costs nothing if it is not called.
CASE WHEN current_setting('transaction_isolation') = 'read committed' THEN 0
     ELSE leasehold_lock_era() END
