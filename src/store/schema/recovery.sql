-- Version 7: withdrawals that the chain takes back, and what `till recover` found.

CREATE TRIGGER withdrawal_undone AFTER UPDATE OF state ON withdrawal WHEN OLD.state = 'done' AND NEW.state <> 'done'
BEGIN
  UPDATE payout SET withdrawn_amount = withdrawn_amount - OLD.amount, withdrawals = withdrawals - 1
  WHERE wallet IN ('', OLD.from_address);
END;

-- Deposit addresses where `till recover` found money that is still there, and that no invoice or link here has.
CREATE TABLE recovered (
  address TEXT PRIMARY KEY,
  payout_wallet TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0)
) STRICT;
