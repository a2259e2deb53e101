-- The server ends the transaction when the trust has run out, whatever its client does.
CASE WHEN current_setting('server_version_num')::integer >= 170000
     THEN set_config('transaction_timeout', t.ms, true)
     ELSE set_config('lock_timeout', t.ms, true) || set_config('statement_timeout', t.ms, true)
          || set_config('idle_in_transaction_session_timeout', t.ms, true) END,
-- As leasehold_bring does, in a transaction that has brought nothing yet.
set_config('leasehold.brought', concat(pg_current_xact_id(), ' ', t.key, ' ', t.token), true)
