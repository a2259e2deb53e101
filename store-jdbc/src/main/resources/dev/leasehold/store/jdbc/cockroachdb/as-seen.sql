-- Where transactions are serializable what was read is what is true at commit; else this tells.
l.last_token = j.last_token AND l.written_at = j.written_at
AND l.standing IS NOT DISTINCT FROM j.standing
AND l.expires_at IS NOT DISTINCT FROM j.expires_at
AND l.closed_reason IS NOT DISTINCT FROM j.closed_reason
AND l.barred_id IS NOT DISTINCT FROM j.barred_id
