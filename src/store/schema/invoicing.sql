CREATE TABLE merchant (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  account_index INTEGER NOT NULL UNIQUE CHECK (account_index > 0)
) STRICT;

-- An address to pay to, and what has come to it.
CREATE TABLE deposit (
  deposit_index INTEGER PRIMARY KEY CHECK (deposit_index >= 0),
  address TEXT NOT NULL UNIQUE,
  payout_wallet TEXT NOT NULL,
  salt TEXT NOT NULL UNIQUE,
  factory TEXT NOT NULL,
  expected_amount INTEGER NOT NULL CHECK (expected_amount > 0),
  -- How much less than `expected_amount` still counts as paid: what TILL_TOLERANCE allowed at creation.
  tolerance_amount INTEGER NOT NULL CHECK (tolerance_amount >= 0 AND tolerance_amount < expected_amount),
  received_amount INTEGER NOT NULL DEFAULT 0 CHECK (received_amount >= 0),
  pending_amount INTEGER NOT NULL DEFAULT 0 CHECK (pending_amount >= 0),
  settled_amount INTEGER NOT NULL DEFAULT 0 CHECK (settled_amount >= 0),
  created_at INTEGER NOT NULL,
  -- No payment can be in a block up to this one: nobody knew the address yet.
  created_block INTEGER NOT NULL CHECK (created_block >= 0),
  changed_at INTEGER NOT NULL,
  -- When the balance of the address is compared with the books, and the block as of which they last agreed.
  compare_at INTEGER NOT NULL,
  explained_block INTEGER NOT NULL
) STRICT;
CREATE INDEX deposit_by_change ON deposit (changed_at);
CREATE INDEX deposit_unsettled ON deposit (deposit_index) WHERE received_amount > settled_amount;
-- Deposits worth settling, without reading those that hold too little.
CREATE INDEX deposit_to_settle ON deposit (received_amount - settled_amount) WHERE received_amount > settled_amount;
CREATE INDEX deposit_to_compare ON deposit (compare_at);

CREATE TABLE invoice (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  id TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES deposit,
  merchant_email TEXT NOT NULL,
  merchant_name TEXT NOT NULL,
  merchant_address TEXT NOT NULL,
  vendor_name TEXT NOT NULL,
  vendor_email TEXT NOT NULL,
  vendor_address TEXT,
  issue_date TEXT NOT NULL,
  due_date TEXT NOT NULL,
  notes TEXT,
  total_amount INTEGER NOT NULL CHECK (total_amount > 0),
  status TEXT NOT NULL CHECK (status IN ('draft', 'sent', 'paid', 'partial', 'excess')),
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  webhook_url TEXT,
  -- Sealed, as in `webhook_event`.
  webhook_secret TEXT,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
) STRICT;
CREATE INDEX invoice_by_status ON invoice (status, sequence);

CREATE TRIGGER invoice_snapshot_is_immutable
BEFORE UPDATE OF sequence, id, merchant_name, merchant_address ON invoice
BEGIN SELECT RAISE(ABORT, 'the number and the merchant of an invoice never change'); END;

CREATE TABLE line_item (
  sequence INTEGER NOT NULL REFERENCES invoice,
  position INTEGER NOT NULL,
  description TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
  line_total INTEGER NOT NULL CHECK (line_total >= 0),
  PRIMARY KEY (sequence, position)
) STRICT, WITHOUT ROWID;

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
  -- Sealed, as in `webhook_event`.
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
