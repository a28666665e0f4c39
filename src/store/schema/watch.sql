-- Transfers of USDC to a deposit address.
CREATE TABLE transfer (
  block_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  block_number INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  payer TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  confirmed INTEGER NOT NULL CHECK (confirmed IN (0, 1)),
  seen_at INTEGER NOT NULL,
  -- The node that told of it.
  told_by TEXT,
  -- What other nodes say. It counts when no opinion is needed (`none`), when another node knows it (`attested`), and
  -- when no other one answers (`alone`); not while they are asked (`open`) or one of them says otherwise
  -- (`contradicted`). `doubted`: it counts, but the money is not there, so every node is asked.
  opinion TEXT NOT NULL
    CHECK (opinion IN ('none', 'open', 'attested', 'alone', 'contradicted', 'doubted')),
  -- The node that attested or contradicted it.
  opinion_by TEXT,
  -- Since when nodes have been asked in vain, and when they are asked next.
  asked_at INTEGER,
  ask_at INTEGER,
  PRIMARY KEY (block_hash, log_index)
) STRICT, WITHOUT ROWID;
-- With the transaction: anybody can send many small payments to one address.
CREATE INDEX transfer_by_deposit ON transfer (deposit_index, tx_hash);
CREATE INDEX transfer_by_block ON transfer (block_number);
CREATE INDEX transfer_unconfirmed ON transfer (block_number) WHERE confirmed = 0;
CREATE INDEX transfer_to_ask ON transfer (ask_at) WHERE ask_at IS NOT NULL;
-- In turn for each deposit, so that many small ones to one keep no other waiting.
CREATE INDEX transfer_to_ask_in_turn ON transfer (deposit_index, amount DESC, ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE lost_transfer (
  tx_hash TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  lost_at INTEGER NOT NULL,
  PRIMARY KEY (deposit_index, tx_hash)
) STRICT, WITHOUT ROWID;

-- The blocks up to which the chain was read.
CREATE TABLE checkpoint (
  block_number INTEGER PRIMARY KEY,
  block_hash TEXT NOT NULL
) STRICT;

-- Blocks to be read again: the list that the watcher works off. For the deposits from `first_deposit` to
-- `last_deposit`, or for those that are watched when these are null. `to_block` null: up to the newest; `next_block`
-- null: not begun. A row is removed when it is done; those of a `request` stay, for the one who asked.
CREATE TABLE reread (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('announced', 'rescan', 'late', 'recent', 'day')),
  from_block INTEGER NOT NULL CHECK (from_block >= 0),
  to_block INTEGER,
  next_block INTEGER,
  first_deposit INTEGER,
  last_deposit INTEGER,
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  transfers INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  request INTEGER,
  finished_at INTEGER,
  CHECK ((first_deposit IS NULL) = (last_deposit IS NULL))
) STRICT;
CREATE INDEX reread_open ON reread (reason, id) WHERE finished_at IS NULL;
CREATE INDEX reread_by_request ON reread (request) WHERE request IS NOT NULL;

-- The regular passes over blocks that were read before: where the last one and the one before it ended. `alone`: the
-- last block that the first node has read, while another one goes on without it.
CREATE TABLE pass (
  reason TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  last_block INTEGER,
  before_last_block INTEGER
) STRICT;

-- Deposits that hold more (`amount` above 0) or less than the books say. `cause`: a settlement `left` the chain, what
-- came is `untold` by any log, what should be there is `missing`; null until that is found out. Outgoing transfers up to
-- `traced_to` are in the books.
CREATE TABLE unexplained (
  deposit_index INTEGER PRIMARY KEY REFERENCES deposit,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  cause TEXT CHECK (cause IN ('left', 'untold', 'missing')),
  traced_to INTEGER NOT NULL,
  noticed_at INTEGER NOT NULL
) STRICT;
