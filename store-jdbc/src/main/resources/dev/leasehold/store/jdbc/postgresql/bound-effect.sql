-- The server ends the transaction when the trust has run out, whatever its client does. A timeout
-- that runs already is not changed by another value, only by none; a shorter one may go on.
CASE WHEN current_setting('server_version_num')::integer < 170000
     THEN set_config('lock_timeout', t.ms, true) || set_config('statement_timeout', t.ms, true)
     WHEN extract(epoch FROM current_setting('transaction_timeout', true)::interval) * 1000
          BETWEEN 1 AND t.ms::bigint
     THEN ''
     WHEN set_config('transaction_timeout', '0', true) = '0'
     THEN set_config('transaction_timeout', t.ms, true) END
|| set_config('idle_in_transaction_session_timeout', t.ms, true),
-- As leasehold_bring does, in a transaction that has brought nothing yet.
set_config('leasehold.brought',
           concat(pg_current_xact_id(), ' ', t.key, ' ', t.token, ':' || t.instance_id), true)
