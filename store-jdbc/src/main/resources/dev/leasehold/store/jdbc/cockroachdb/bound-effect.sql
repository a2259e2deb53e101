-- The server ends the transaction when the trust has run out. No table is guarded here, so no
-- claims are brought.
set_config('lock_timeout', t.most, true) || set_config('statement_timeout', t.most, true)
|| set_config('idle_in_transaction_session_timeout', t.most, true)
