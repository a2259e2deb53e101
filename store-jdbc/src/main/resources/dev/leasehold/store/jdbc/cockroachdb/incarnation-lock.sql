-- A snapshot from before an advance would not see it; the store's row does.
(SELECT count(*)
   FROM (SELECT 1 FROM leasehold_store e
          WHERE current_setting('transaction_isolation') <> 'read committed'
            FOR SHARE) held)
