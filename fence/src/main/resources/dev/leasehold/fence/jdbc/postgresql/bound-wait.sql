SELECT set_config('lock_timeout', ?, true)
