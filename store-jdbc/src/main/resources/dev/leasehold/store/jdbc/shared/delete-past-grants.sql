@{delete-keys table=leasehold_past_grant}
