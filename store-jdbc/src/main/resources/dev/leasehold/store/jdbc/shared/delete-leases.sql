@{delete-keys table=leasehold_lease}
