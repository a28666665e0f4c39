-- What the gas account is to send: written, with its nonce, before anything is signed.
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
  -- When it was mined (Unix milliseconds), and its fee in wei as decimal text: 64 bits may not hold it. Null while it
  -- is pending, or when the node did not say.
  mined_at INTEGER,
  fee_wei TEXT,
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
  -- The transaction that moved the money. When its block is replaced, the settlement has left the chain.
  tx_hash TEXT,
  block_number INTEGER,
  block_hash TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (deposit_index, transaction_id),
  CHECK ((state = 'elsewhere') = (transaction_id IS NULL)),
  CHECK ((state = 'failed') = (retry_at IS NOT NULL)),
  CHECK ((state IN ('settled', 'elsewhere')) = (amount > 0)),
  CHECK ((amount > 0) = (tx_hash IS NOT NULL AND block_number IS NOT NULL AND block_hash IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX settlement_pending ON settlement (deposit_index) WHERE state = 'pending';
CREATE UNIQUE INDEX settlement_by_hash ON settlement (deposit_index, tx_hash) WHERE tx_hash IS NOT NULL;
CREATE INDEX settlement_by_transaction ON settlement (transaction_id);
-- Failures are few, and every call of /health/ready asks for them.
CREATE INDEX settlement_failed ON settlement (deposit_index) WHERE state = 'failed';

CREATE TABLE withdrawal (
  id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL,
  token TEXT NOT NULL,
  account_index INTEGER NOT NULL CHECK (account_index > 0),
  from_address TEXT NOT NULL,
  to_address TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  nonce TEXT NOT NULL UNIQUE,
  valid_before_sec INTEGER NOT NULL,
  begun_block INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
  transaction_id INTEGER REFERENCES gas_transaction,
  -- How it ended, as the token's events say it: not as Till's own transaction did.
  tx_hash TEXT,
  failure TEXT CHECK (failure IN ('expired', 'cancelled', 'replaced')),
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX withdrawal_pending ON withdrawal (chain_id, from_address) WHERE state = 'pending';
CREATE INDEX withdrawal_by_wallet ON withdrawal (chain_id, from_address, id);
