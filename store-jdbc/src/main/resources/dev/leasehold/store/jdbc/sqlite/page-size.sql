-- Of a file that is made now. What a commit writes is whole pages, and most of them for one row each.
PRAGMA page_size = 2048
