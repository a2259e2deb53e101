l.bucket = d.bucket AND l.key = d.key
