-- A snapshot of before an advance would not see it; the row of the store does. By a function, which
-- costs nothing where it is not called.
CASE WHEN current_setting('transaction_isolation') = 'read committed' THEN 0
     ELSE leasehold_lock_era() END
