-- API keys of a server's callers. Of a key's secret only the SHA-256 is kept.
CREATE TABLE IF NOT EXISTS leasehold_api_key (
  id         text PRIMARY KEY,
  name       text NOT NULL,
  hash       text NOT NULL,
  -- Its permissions, and the prefixes of its leases' keys: words separated by commas.
  verbs      text NOT NULL,
  prefixes   text NOT NULL
);
