@{lock-one-floor lock="FOR UPDATE"}
