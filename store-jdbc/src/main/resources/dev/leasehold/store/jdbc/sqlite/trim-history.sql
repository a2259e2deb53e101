@{trim-history-by-key}
