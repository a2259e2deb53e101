SET LOCAL lock_timeout = '50ms'
