@{see-current}
