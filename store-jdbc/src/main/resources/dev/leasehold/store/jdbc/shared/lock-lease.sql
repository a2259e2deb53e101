@{lock-one-lease lock="FOR UPDATE"}
