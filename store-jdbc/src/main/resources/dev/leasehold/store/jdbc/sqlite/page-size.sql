-- Takes effect on a new file only. A commit writes whole pages, most of them because of one row.
PRAGMA page_size = 2048
