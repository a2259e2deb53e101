l.grant_token = l.last_token AND l.standing < 2 AND l.last_token >> 40 >= s.incarnation
