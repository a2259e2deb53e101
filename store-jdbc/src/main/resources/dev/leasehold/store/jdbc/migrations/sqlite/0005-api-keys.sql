-- API keys of a server's callers. Of a key's secret only the SHA-256 is kept.
CREATE TABLE IF NOT EXISTS leasehold_api_key (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  hash       TEXT NOT NULL,
  -- Its permissions, and the prefixes of its leases' keys: words separated by commas.
  verbs      TEXT NOT NULL,
  prefixes   TEXT NOT NULL
);
