-- In serializable transactions a read is still true at commit; otherwise this row shows a change.
l.last_token = j.last_token AND l.written_at = j.written_at
AND l.standing IS NOT DISTINCT FROM j.standing
AND l.expires_at IS NOT DISTINCT FROM j.expires_at
AND l.closed_reason IS NOT DISTINCT FROM j.closed_reason
AND l.barred_id IS NOT DISTINCT FROM j.barred_id
