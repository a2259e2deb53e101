@{delete-keys table=leasehold_request}
