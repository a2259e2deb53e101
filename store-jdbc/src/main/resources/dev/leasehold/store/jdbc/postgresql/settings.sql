SELECT current_setting('server_version_num')::integer, pg_is_in_recovery(),
       current_setting('transaction_read_only'), current_setting('fsync'),
       current_setting('synchronous_commit'), current_setting('full_page_writes')
