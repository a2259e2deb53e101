@{lock-one-lease lock="FOR NO KEY UPDATE"}
