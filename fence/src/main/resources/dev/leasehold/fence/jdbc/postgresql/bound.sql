-- For this transaction only; what stood before is evaluated before it is changed.
SELECT current_setting('lock_timeout'),
       set_config('lock_timeout', ?, true),
       set_config('idle_in_transaction_session_timeout', ?, true)
