-- Version 7: withdrawals that the chain takes back, and what `till recover` found.

CREATE TRIGGER withdrawal_undone AFTER UPDATE OF state ON withdrawal WHEN OLD.state = 'done' AND NEW.state <> 'done'
BEGIN
  UPDATE payout SET withdrawn_amount = withdrawn_amount - OLD.amount, withdrawals = withdrawals - 1
  WHERE wallet IN ('', OLD.from_address);
END;

-- Where money was found that nothing else here knows of: a managed wallet, by its account, or a deposit address, with
-- the wallet that it pays.
CREATE TABLE recovered (
  address TEXT PRIMARY KEY,
  account_index INTEGER UNIQUE CHECK (account_index > 0),
  payout_wallet TEXT,
  CHECK ((account_index IS NULL) = (payout_wallet IS NOT NULL))
) STRICT;
