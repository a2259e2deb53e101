l.last_token, l.grant_token, l.standing, s.store_id, s.incarnation, f.token, @{now}, l.instance_id
