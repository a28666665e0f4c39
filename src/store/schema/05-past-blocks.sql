-- The balances of addresses that are no longer watched block by block, as the last check saw them.
CREATE TABLE cold_balance (
  deposit_index INTEGER PRIMARY KEY REFERENCES deposit,
  balance INTEGER NOT NULL CHECK (balance >= 0),
  checked_at INTEGER NOT NULL
) STRICT;

-- The regular check of those balances: up to `block_number` all is known. The rest is of a check under way.
CREATE TABLE cold_check (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  due_at INTEGER NOT NULL,
  block_number INTEGER NOT NULL,
  started_at INTEGER,
  started_block INTEGER,
  next_deposit INTEGER NOT NULL DEFAULT 0,
  CHECK ((started_at IS NULL) = (started_block IS NULL))
) STRICT;

-- Blocks to be read once more: for all addresses (rescan), or for those of reading_deposit (late). `next_block` and
-- `next_deposit` say how far it is; `slice_to` ends the blocks that are being read for one chunk of addresses
-- after the other.
CREATE TABLE reading (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('rescan', 'late')),
  from_block INTEGER NOT NULL CHECK (from_block >= 0),
  wanted_to INTEGER,
  to_block INTEGER,
  next_block INTEGER NOT NULL,
  next_deposit INTEGER NOT NULL DEFAULT 0,
  slice_to INTEGER,
  found INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  requested_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX reading_open ON reading (kind, id) WHERE finished_at IS NULL;

CREATE TABLE reading_deposit (
  reading_id INTEGER NOT NULL REFERENCES reading,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  PRIMARY KEY (reading_id, deposit_index)
) STRICT, WITHOUT ROWID;

-- The regular passes over blocks that have been read before.
CREATE TABLE recheck_pass (
  name TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL,
  last_block INTEGER,
  before_last_block INTEGER,
  next_block INTEGER NOT NULL,
  to_block INTEGER NOT NULL
) STRICT;
