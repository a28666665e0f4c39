-- The chain that the data belongs to.
CREATE TABLE chain (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  chain_id INTEGER NOT NULL,
  genesis_hash TEXT NOT NULL
) STRICT;

-- The wallet that all deposit addresses and sealed secrets come from.
CREATE TABLE wallet (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  gas_address TEXT NOT NULL
) STRICT;

-- The lowest numbers that may still be given out: numbers above those of a restored backup may be in use somewhere.
CREATE TABLE next_numbers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  deposit_index INTEGER NOT NULL CHECK (deposit_index >= 0),
  account_index INTEGER NOT NULL CHECK (account_index > 0),
  sequence INTEGER NOT NULL CHECK (sequence > 0)
) STRICT;
INSERT INTO next_numbers (id, deposit_index, account_index, sequence) VALUES (1, 0, 1, 1);

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;

-- Answers to requests with an Idempotency-Key. `answer_body` is sealed.
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  request_hash TEXT NOT NULL,
  resource TEXT NOT NULL,
  answer_status INTEGER,
  answer_body TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- Written after a failed write, to find out whether there is room again. Empty otherwise.
CREATE TABLE probe (content BLOB NOT NULL) STRICT;
