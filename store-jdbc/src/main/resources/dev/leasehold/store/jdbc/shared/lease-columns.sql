l.key, l.last_token, l.grant_token, l.instance_id, l.inherited, l.request_id, l.holder,
l.purpose, l.region, l.attributes, l.ttl_ms, l.stall_ms, l.granted_at, l.renewed_at, l.expires_at,
l.progress, l.progressed_at, l.standing, l.end_reason, l.end_by, l.end_why, l.ended_at,
l.end_request, l.closed_reason, l.closed_until, l.barred_id, l.barred_reason, l.barred_until,
l.written_at
