-- Version 6, beside business.sql: what 1 USDC was worth when a payment came, for the merchant's books. Kept once and never
-- looked up again. By its transaction, so that a payment takes its value along into another block; nothing refers to it,
-- as nothing but exports depends on it.

CREATE TABLE payment_value (
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  tx_hash TEXT NOT NULL,
  currency TEXT NOT NULL,
  rate TEXT NOT NULL,
  -- Who said so.
  source TEXT NOT NULL,
  -- When that was the rate.
  rate_at INTEGER NOT NULL,
  -- When the payment was made, as it was known then.
  paid_at INTEGER NOT NULL,
  PRIMARY KEY (deposit_index, tx_hash)
) STRICT, WITHOUT ROWID;
