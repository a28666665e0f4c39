-- Version 6, beside business.sql: sellers and buyers as they were saved, for the invoices that follow. Not `merchant`,
-- whose rows are accounts of the wallet.

CREATE TABLE saved_party (
  role TEXT NOT NULL CHECK (role IN ('merchant', 'vendor')),
  -- In its normal form.
  email TEXT NOT NULL,
  name TEXT,
  address TEXT,
  -- JSON.
  details TEXT,
  -- Of a merchant: what new invoices say, and that 1 USDC counts as 1 USD.
  payment_terms TEXT,
  usd_parity INTEGER NOT NULL CHECK (usd_parity IN (0, 1)),
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (role, email)
) STRICT, WITHOUT ROWID;
