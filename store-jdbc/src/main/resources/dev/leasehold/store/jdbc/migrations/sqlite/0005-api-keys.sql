-- Keys that servers let callers in by. Of a key's secret only the SHA-256 is kept.
CREATE TABLE IF NOT EXISTS leasehold_api_key (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  hash       TEXT NOT NULL,
  -- What it is for, and what the keys of its leases start with: words separated by commas.
  verbs      TEXT NOT NULL,
  prefixes   TEXT NOT NULL
);
