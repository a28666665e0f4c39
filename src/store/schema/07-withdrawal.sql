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
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
  transaction_id INTEGER REFERENCES gas_transaction,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX withdrawal_pending ON withdrawal (chain_id, from_address) WHERE state = 'pending';
CREATE INDEX withdrawal_by_wallet ON withdrawal (chain_id, from_address, id);
