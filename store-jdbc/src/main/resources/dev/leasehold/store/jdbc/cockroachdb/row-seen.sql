l.bucket = j.bucket AND l.key = j.key
