-- What nobody could know when the deposit was made: no payment is in a block up to this one.
ALTER TABLE deposit ADD COLUMN created_block INTEGER NOT NULL DEFAULT 0 CHECK (created_block >= 0);
-- When what the address holds is compared with the books; null when there is nothing to compare.
ALTER TABLE deposit ADD COLUMN compare_at INTEGER;
CREATE INDEX deposit_to_compare ON deposit (compare_at) WHERE compare_at IS NOT NULL;

-- Which node told of a transfer, and what the others say. It counts when no opinion is needed (`none`), when another
-- node knows it (`attested`), and when no other one answers (`alone`); not while they are asked (`open`) or one of them
-- says otherwise (`contradicted`). `doubted`: it counts, but the money is not there, so every node is asked.
ALTER TABLE transfer ADD COLUMN told_by TEXT;
ALTER TABLE transfer ADD COLUMN opinion TEXT NOT NULL DEFAULT 'none'
  CHECK (opinion IN ('none', 'open', 'attested', 'alone', 'contradicted', 'doubted'));
-- The node that attested or contradicted it.
ALTER TABLE transfer ADD COLUMN opinion_by TEXT;
-- Since when nodes have been asked in vain, and when they are asked next.
ALTER TABLE transfer ADD COLUMN asked_at INTEGER;
ALTER TABLE transfer ADD COLUMN ask_at INTEGER;
CREATE INDEX transfer_to_ask ON transfer (ask_at) WHERE ask_at IS NOT NULL;
-- In turn for each deposit, so that many small ones to one keep no other waiting.
CREATE INDEX transfer_to_ask_in_turn ON transfer (deposit_index, amount DESC, ask_at) WHERE ask_at IS NOT NULL;

-- Deposits that hold less than the books say. Outgoing transfers have been looked for up to `traced_to`, and came to
-- `moved`; `missing` is what they do not explain, 0 while blocks are left to read.
CREATE TABLE shortfall (
  deposit_index INTEGER PRIMARY KEY REFERENCES deposit,
  traced_to INTEGER NOT NULL,
  moved INTEGER NOT NULL DEFAULT 0,
  missing INTEGER NOT NULL DEFAULT 0 CHECK (missing >= 0),
  noticed_at INTEGER NOT NULL,
  next_at INTEGER NOT NULL
) STRICT;
CREATE INDEX shortfall_due ON shortfall (next_at);
