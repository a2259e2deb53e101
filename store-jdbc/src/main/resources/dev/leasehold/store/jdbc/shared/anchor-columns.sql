a.number, a.session_key, a.token, a.served, a.unheard_since
