@{acts} AND coalesce(t.instance_id, l.instance_id) = l.instance_id
