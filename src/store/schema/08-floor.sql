-- The lowest numbers that may still be given out: above what a backup knows, others may be in use somewhere.
CREATE TABLE floor (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  deposit_index INTEGER NOT NULL CHECK (deposit_index >= 0),
  account_index INTEGER NOT NULL CHECK (account_index > 0),
  sequence INTEGER NOT NULL CHECK (sequence > 0)
) STRICT;

INSERT INTO floor (id, deposit_index, account_index, sequence) VALUES (1, 0, 1, 1);
