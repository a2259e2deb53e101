CASE WHEN pg_catalog.current_setting('transaction_isolation')
          OPERATOR(pg_catalog.=) 'read committed'
     THEN 0 ELSE leasehold_lock_era() END
