@{lock-one-floor lock="FOR KEY SHARE"}
