CREATE TABLE link (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES deposit,
  merchant_email TEXT NOT NULL,
  business_name TEXT NOT NULL,
  product_description TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'partial', 'excess', 'error')),
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  success_url TEXT,
  webhook_url TEXT,
  webhook_secret TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
) STRICT;
CREATE INDEX link_by_status ON link (status, id);

CREATE TABLE link_embed_origin (
  link_id INTEGER NOT NULL REFERENCES link,
  origin TEXT NOT NULL,
  PRIMARY KEY (link_id, origin)
) STRICT, WITHOUT ROWID;

CREATE TABLE lost_transfer (
  tx_hash TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  lost_at INTEGER NOT NULL,
  PRIMARY KEY (deposit_index, tx_hash)
) STRICT, WITHOUT ROWID;
