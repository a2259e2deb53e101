-- Shared, so that changes under one token do not wait for each other; raising the mark waits for
-- all of them. A process that stops in the midst of its change is ended by the server.
SELECT set_config('idle_in_transaction_session_timeout', ?, true)
  FROM leasehold_mark
 WHERE @{stands-at}
   FOR SHARE OF leasehold_mark
