PRAGMA busy_timeout = 4000
