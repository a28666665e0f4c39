-- Version 4: payers who sign, and whose payment the gas account sends.

-- As it was, with one more purpose, and with a limit of its own for the fee.
CREATE TABLE gas_transaction_2 (
  id INTEGER PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('deploy', 'settle', 'withdraw', 'rescue', 'relay')),
  chain_id INTEGER NOT NULL,
  nonce INTEGER NOT NULL CHECK (nonce >= 0),
  to_address TEXT NOT NULL,
  data TEXT NOT NULL,
  gas_limit INTEGER NOT NULL CHECK (gas_limit > 0),
  -- The most that it offers for each unit of gas, in wei; null: as much as any transaction.
  fee_max INTEGER CHECK (fee_max > 0),
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'reverted')),
  tx_hash TEXT,
  block_number INTEGER,
  mined_at INTEGER,
  fee_wei TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (chain_id, nonce),
  CHECK ((state = 'pending') = (tx_hash IS NULL)),
  CHECK ((tx_hash IS NULL) = (block_number IS NULL))
) STRICT;
INSERT INTO gas_transaction_2
  SELECT id, purpose, chain_id, nonce, to_address, data, gas_limit, NULL, reason, state, tx_hash, block_number, mined_at,
    fee_wei, created_at
  FROM gas_transaction;
DROP TABLE gas_transaction;
ALTER TABLE gas_transaction_2 RENAME TO gas_transaction;
CREATE INDEX gas_transaction_pending ON gas_transaction (chain_id, nonce) WHERE state = 'pending';
CREATE INDEX gas_transaction_settled ON gas_transaction (created_at) WHERE purpose = 'settle';
-- What relays have cost in a day.
CREATE INDEX gas_transaction_relayed ON gas_transaction (chain_id, created_at) WHERE purpose = 'relay';

-- An authorisation (EIP-3009) that a payer signed, to a deposit address. Written before anything is sent, together
-- with the transaction that carries it out.
CREATE TABLE relay (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  source TEXT NOT NULL CHECK (source IN ('page', 'x402', 'command')),
  chain_id INTEGER NOT NULL,
  token TEXT NOT NULL,
  payer TEXT NOT NULL,
  to_address TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  valid_after_sec INTEGER NOT NULL,
  valid_before_sec INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  signature TEXT NOT NULL,
  -- What a program called its payment (the payment-identifier extension of x402).
  payment_identifier TEXT,
  -- The chain's newest block when it was accepted.
  begun_block INTEGER NOT NULL,
  transaction_id INTEGER NOT NULL REFERENCES gas_transaction,
  -- mined: in a block, with the transfer that was signed. confirmed: the books count it.
  state TEXT NOT NULL CHECK (state IN ('accepted', 'sent', 'mined', 'confirmed', 'failed')),
  failure TEXT CHECK (failure IN ('expired', 'reverted', 'cancelled', 'replaced')),
  -- What moved the money, Till's transaction or anybody's.
  tx_hash TEXT,
  block_number INTEGER,
  block_hash TEXT,
  created_at INTEGER NOT NULL,
  mined_at INTEGER,
  ended_at INTEGER,
  CHECK ((state = 'failed') = (failure IS NOT NULL)),
  CHECK ((state IN ('mined', 'confirmed')) = (block_number IS NOT NULL)),
  CHECK ((block_number IS NULL) = (block_hash IS NULL)),
  CHECK ((block_number IS NULL) = (mined_at IS NULL)),
  CHECK ((state IN ('confirmed', 'failed')) = (ended_at IS NOT NULL))
) STRICT;
-- One that failed may be signed again with the same nonce, of which the token takes one.
CREATE UNIQUE INDEX relay_by_nonce ON relay (chain_id, token, payer, nonce) WHERE state <> 'failed';
CREATE UNIQUE INDEX relay_unresolved ON relay (deposit_index) WHERE state IN ('accepted', 'sent', 'mined');
CREATE INDEX relay_by_deposit ON relay (deposit_index, id);
CREATE INDEX relay_by_time ON relay (chain_id, created_at);
CREATE INDEX relay_by_transaction ON relay (transaction_id);
CREATE INDEX relay_on_the_way ON relay (payer, amount) WHERE state IN ('accepted', 'sent');
CREATE INDEX relay_failed ON relay (payer, ended_at) WHERE state = 'failed';
CREATE UNIQUE INDEX relay_by_identifier ON relay (deposit_index, payment_identifier)
  WHERE payment_identifier IS NOT NULL AND state <> 'failed';
