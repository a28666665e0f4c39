CREATE TABLE gas_transaction (
  id INTEGER PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('deploy', 'settle', 'withdraw', 'rescue')),
  chain_id INTEGER NOT NULL,
  nonce INTEGER NOT NULL CHECK (nonce >= 0),
  to_address TEXT NOT NULL,
  data TEXT NOT NULL,
  gas_limit INTEGER NOT NULL CHECK (gas_limit > 0),
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'reverted')),
  tx_hash TEXT,
  block_number INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (chain_id, nonce),
  CHECK ((state = 'pending') = (tx_hash IS NULL)),
  CHECK ((tx_hash IS NULL) = (block_number IS NULL))
) STRICT;
CREATE INDEX gas_transaction_pending ON gas_transaction (chain_id, nonce) WHERE state = 'pending';

CREATE TABLE gas_attempt (
  hash TEXT PRIMARY KEY,
  transaction_id INTEGER NOT NULL REFERENCES gas_transaction,
  nonce INTEGER NOT NULL,
  raw TEXT NOT NULL,
  fee_max INTEGER NOT NULL CHECK (fee_max > 0),
  fee_tip INTEGER NOT NULL CHECK (fee_tip >= 0),
  signed_at INTEGER NOT NULL,
  sent_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX gas_attempt_by_transaction ON gas_attempt (transaction_id, signed_at);

CREATE TABLE settlement (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  transaction_id INTEGER REFERENCES gas_transaction,
  state TEXT NOT NULL CHECK (state IN ('pending', 'settled', 'empty', 'failed', 'elsewhere')),
  amount INTEGER NOT NULL DEFAULT 0 CHECK (amount >= 0),
  retry_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (deposit_index, transaction_id),
  CHECK ((state = 'elsewhere') = (transaction_id IS NULL)),
  CHECK ((state = 'failed') = (retry_at IS NOT NULL)),
  CHECK ((state IN ('settled', 'elsewhere')) = (amount > 0))
) STRICT;
CREATE UNIQUE INDEX settlement_pending ON settlement (deposit_index) WHERE state = 'pending';
CREATE INDEX settlement_by_transaction ON settlement (transaction_id);

ALTER TABLE deposit ADD COLUMN settled_amount INTEGER NOT NULL DEFAULT 0 CHECK (settled_amount >= 0);
CREATE INDEX deposit_unsettled ON deposit (deposit_index) WHERE received_amount > settled_amount;
