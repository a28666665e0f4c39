CREATE TABLE chain (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  chain_id INTEGER NOT NULL,
  genesis_hash TEXT NOT NULL
) STRICT;

CREATE TABLE wallet (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  gas_address TEXT NOT NULL
) STRICT;

CREATE TABLE merchant (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  account_index INTEGER NOT NULL UNIQUE CHECK (account_index > 0)
) STRICT;

CREATE TABLE deposit (
  deposit_index INTEGER PRIMARY KEY CHECK (deposit_index >= 0),
  address TEXT NOT NULL UNIQUE,
  payout_wallet TEXT NOT NULL,
  salt TEXT NOT NULL UNIQUE,
  factory TEXT NOT NULL,
  expected_amount INTEGER NOT NULL CHECK (expected_amount > 0),
  received_amount INTEGER NOT NULL DEFAULT 0 CHECK (received_amount >= 0),
  pending_amount INTEGER NOT NULL DEFAULT 0 CHECK (pending_amount >= 0),
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX deposit_by_change ON deposit (changed_at);

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

CREATE TABLE transfer (
  block_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  block_number INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  amount INTEGER NOT NULL CHECK (amount > 0),
  confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (block_hash, log_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX transfer_by_deposit ON transfer (deposit_index);
CREATE INDEX transfer_by_block ON transfer (block_number);
CREATE INDEX transfer_unconfirmed ON transfer (block_number) WHERE confirmed = 0;

CREATE TABLE checkpoint (
  block_number INTEGER PRIMARY KEY,
  block_hash TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_event (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  status TEXT NOT NULL,
  url TEXT NOT NULL,
  receiver TEXT NOT NULL,
  secret TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (deposit_index, status),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE INDEX webhook_event_due ON webhook_event (next_attempt_at) WHERE state = 'pending';

CREATE TABLE delivery_attempt (
  event_id TEXT NOT NULL REFERENCES webhook_event,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  reason TEXT,
  PRIMARY KEY (event_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  sequence INTEGER NOT NULL REFERENCES invoice,
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'superseded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  reason TEXT,
  created_at INTEGER NOT NULL,
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE INDEX mail_by_invoice ON mail (sequence);
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE state = 'queued';
