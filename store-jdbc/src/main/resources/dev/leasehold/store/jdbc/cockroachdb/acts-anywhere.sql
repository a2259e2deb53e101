l.grant_token = l.last_token AND l.standing < 2 AND l.last_token >> 40 >= s.incarnation
AND coalesce(t.instance_id, l.instance_id) = l.instance_id
