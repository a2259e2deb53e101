PRAGMA synchronous = FULL
