@{lock-one-lease lock="FOR KEY SHARE"}
