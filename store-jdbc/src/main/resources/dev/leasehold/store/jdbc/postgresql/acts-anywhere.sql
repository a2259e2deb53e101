l.grant_token OPERATOR(pg_catalog.=) l.last_token
AND l.standing OPERATOR(pg_catalog.<) 2
AND (l.last_token OPERATOR(pg_catalog.>>) 40) OPERATOR(pg_catalog.>=) s.incarnation
AND COALESCE(t.instance_id, l.instance_id) OPERATOR(pg_catalog.=) l.instance_id
