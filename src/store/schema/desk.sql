-- Version 3: the desk. Who works at it, what they did, and what they have set and begun.

CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'accountant')),
  -- Argon2id; null for who signs in with a passkey alone.
  password_hash TEXT,
  -- What WebAuthn calls the user handle: random, so that a passkey says nothing of the person.
  handle TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;
-- Who has a password signs in with the name.
CREATE UNIQUE INDEX person_by_name ON person (name COLLATE NOCASE) WHERE removed_at IS NULL;

CREATE TABLE passkey (
  id INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES person,
  -- Base64url, as browsers write it.
  credential_id TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  -- How often it signed, where the device counts; 0 where it does not.
  counter INTEGER NOT NULL,
  -- How the browser can reach it, as a JSON array.
  transports TEXT NOT NULL DEFAULT '[]',
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX passkey_by_person ON passkey (person_id);

-- Only the SHA-256 of a session's token is kept, as of an API key.
CREATE TABLE session (
  session_id INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES person,
  token_hash TEXT NOT NULL UNIQUE,
  -- The browser, as people call it: "Firefox on Android".
  device TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_by_person ON session (person_id);

-- A link that lets one person in, once: the first owner, who was invited, or who lost the passkey.
CREATE TABLE entry_link (
  id INTEGER PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  -- Who comes back; null for somebody new, who gets the role.
  person_id INTEGER REFERENCES person,
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'accountant')),
  -- Who is meant by an invitation, as the inviter calls them.
  name TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

-- What people did. A row is written before the deed and says afterwards how it ended: null when Till stopped in between.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- Null in development, where nobody signs in.
  person_id INTEGER REFERENCES person,
  person_name TEXT NOT NULL,
  action TEXT NOT NULL,
  -- What it was done to, as people call it: an invoice's number, a link's slug, a person's name.
  subject TEXT,
  outcome TEXT CHECK (outcome IN ('done', 'failed'))
) STRICT;

-- An invoice that was begun, as its form was last sent.
CREATE TABLE draft (
  id INTEGER PRIMARY KEY,
  form TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- What new invoices and links start from, as JSON by name.
CREATE TABLE preference (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Where the desk may send what is in Till's wallet: chosen on the command line, which a stolen session does not reach.
CREATE TABLE allowed_address (
  address TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- What was received, by the quarter of an hour in which it was paid (Unix milliseconds / 900,000): every day of
-- every time zone is a whole number of them. Kept beside the transfers, so that no page adds them up.
CREATE TABLE received (
  quarter INTEGER PRIMARY KEY,
  amount INTEGER NOT NULL
) STRICT;
INSERT INTO received (quarter, amount)
  SELECT made_at / 900000, sum(amount) FROM transfer WHERE confirmed = 1 GROUP BY 1;

CREATE TRIGGER received_by_insert AFTER INSERT ON transfer WHEN new.confirmed = 1
BEGIN
  INSERT INTO received (quarter, amount) VALUES (new.made_at / 900000, new.amount)
    ON CONFLICT (quarter) DO UPDATE SET amount = amount + excluded.amount;
END;
CREATE TRIGGER received_by_delete AFTER DELETE ON transfer WHEN old.confirmed = 1
BEGIN
  UPDATE received SET amount = amount - old.amount WHERE quarter = old.made_at / 900000;
END;
CREATE TRIGGER received_by_update AFTER UPDATE OF confirmed ON transfer WHEN new.confirmed <> old.confirmed
BEGIN
  INSERT INTO received (quarter, amount)
    VALUES (new.made_at / 900000, CASE new.confirmed WHEN 1 THEN new.amount ELSE -new.amount END)
    ON CONFLICT (quarter) DO UPDATE SET amount = amount + excluded.amount;
END;
-- The newest payments.
CREATE INDEX transfer_by_made ON transfer (made_at, amount);

-- What invoices are open, by the day on which they are due and that of their issue: their number, and what is still to
-- come. The triggers of desk-lists.sql keep it.
CREATE TABLE owed (
  due_date TEXT NOT NULL,
  issue_date TEXT NOT NULL,
  invoices INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (due_date, issue_date)
) STRICT, WITHOUT ROWID;
INSERT INTO owed (due_date, issue_date, invoices, amount)
  SELECT due_date, issue_date, count(*), sum(max(0, total_amount - received_amount))
  FROM invoice JOIN deposit USING (deposit_index) WHERE status IN ('draft', 'sent', 'partial') GROUP BY 1, 2;

-- When the words of the wallet were shown, or somebody said that they have them: null while nobody may have a copy.
ALTER TABLE wallet ADD COLUMN words_at INTEGER;

-- When `till backup` last made one: one row, or none.
CREATE TABLE backup_made (id INTEGER PRIMARY KEY CHECK (id = 1), made_at INTEGER NOT NULL) STRICT;

-- The form of the desk that began it: sent again, it begins nothing more. Null for one of the command line.
ALTER TABLE withdrawal ADD COLUMN form_key TEXT;
CREATE UNIQUE INDEX withdrawal_by_form ON withdrawal (form_key) WHERE form_key IS NOT NULL;

-- What the desk lists together, newest first.
CREATE INDEX withdrawal_by_age ON withdrawal (created_at);
CREATE INDEX withdrawal_by_receiver ON withdrawal (to_address, created_at);
CREATE INDEX settlement_elsewhere ON settlement (created_at) WHERE state = 'elsewhere';
CREATE INDEX gas_transaction_settled ON gas_transaction (created_at) WHERE purpose = 'settle';
CREATE INDEX webhook_event_failing ON webhook_event (created_at)
  WHERE state = 'failed' OR (state = 'pending' AND attempts > 0);

-- What came in for each payout wallet, what was moved there, and what still waits at deposit addresses. Kept by the
-- triggers below, so that nobody adds up a million deposits. The row without a wallet is the sum of all.
CREATE TABLE payout (
  id INTEGER PRIMARY KEY,
  wallet TEXT NOT NULL UNIQUE,
  received_amount INTEGER NOT NULL DEFAULT 0,
  settled_amount INTEGER NOT NULL DEFAULT 0,
  waiting_amount INTEGER NOT NULL DEFAULT 0,
  waiting_deposits INTEGER NOT NULL DEFAULT 0,
  withdrawn_amount INTEGER NOT NULL DEFAULT 0,
  withdrawals INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO payout (wallet) VALUES ('');
INSERT INTO payout (wallet, received_amount, settled_amount, waiting_amount, waiting_deposits)
  SELECT payout_wallet, sum(received_amount), sum(settled_amount),
    sum(max(received_amount - settled_amount, 0)), sum(received_amount > settled_amount)
  FROM deposit GROUP BY payout_wallet ORDER BY min(deposit_index);
UPDATE payout SET withdrawn_amount = amount, withdrawals = count
  FROM (SELECT from_address, sum(amount) AS amount, count(*) AS count FROM withdrawal
        WHERE state = 'done' GROUP BY from_address) AS done
  WHERE wallet = from_address;
UPDATE payout SET (received_amount, settled_amount, waiting_amount, waiting_deposits, withdrawn_amount, withdrawals) =
  (SELECT sum(received_amount), sum(settled_amount), sum(waiting_amount), sum(waiting_deposits),
     sum(withdrawn_amount), sum(withdrawals) FROM payout) WHERE wallet = '';
CREATE TRIGGER deposit_made AFTER INSERT ON deposit
BEGIN
  INSERT INTO payout (wallet) VALUES (NEW.payout_wallet) ON CONFLICT DO NOTHING;
  UPDATE payout SET
    received_amount = received_amount + NEW.received_amount,
    settled_amount = settled_amount + NEW.settled_amount,
    waiting_amount = waiting_amount + max(NEW.received_amount - NEW.settled_amount, 0),
    waiting_deposits = waiting_deposits + (NEW.received_amount > NEW.settled_amount)
  WHERE wallet IN ('', NEW.payout_wallet) AND NEW.received_amount + NEW.settled_amount > 0;
END;
CREATE TRIGGER deposit_moved AFTER UPDATE OF received_amount, settled_amount ON deposit
BEGIN
  UPDATE payout SET
    received_amount = received_amount + NEW.received_amount - OLD.received_amount,
    settled_amount = settled_amount + NEW.settled_amount - OLD.settled_amount,
    waiting_amount = waiting_amount + max(NEW.received_amount - NEW.settled_amount, 0)
      - max(OLD.received_amount - OLD.settled_amount, 0),
    waiting_deposits = waiting_deposits + (NEW.received_amount > NEW.settled_amount)
      - (OLD.received_amount > OLD.settled_amount)
  WHERE wallet IN ('', NEW.payout_wallet);
END;
CREATE TRIGGER withdrawal_done AFTER UPDATE OF state ON withdrawal WHEN NEW.state = 'done' AND OLD.state <> 'done'
BEGIN
  UPDATE payout SET withdrawn_amount = withdrawn_amount + NEW.amount, withdrawals = withdrawals + 1
  WHERE wallet IN ('', NEW.from_address);
END;
-- Links. Those of the counter and the payments of a reusable link are many, and each has a list of its own. Each of the
-- kinds that the list can be narrowed to has its index, by time; what expires, by that too.
ALTER TABLE link ADD COLUMN at_counter INTEGER NOT NULL DEFAULT 0 CHECK (at_counter IN (0, 1));
CREATE INDEX link_alone ON link (created_at, id) WHERE reusable_id IS NULL AND at_counter = 0;
CREATE INDEX link_alone_paid ON link (created_at, id)
  WHERE reusable_id IS NULL AND at_counter = 0 AND status IN ('confirmed', 'excess');
CREATE INDEX link_alone_void ON link (created_at, id)
  WHERE reusable_id IS NULL AND at_counter = 0 AND status = 'void';
CREATE INDEX link_alone_open ON link (created_at, id)
  WHERE reusable_id IS NULL AND at_counter = 0 AND status IN ('pending', 'partial', 'error') AND expires_at IS NULL;
CREATE INDEX link_alone_expiring ON link (created_at, id, expires_at)
  WHERE reusable_id IS NULL AND at_counter = 0 AND status IN ('pending', 'partial', 'error') AND expires_at IS NOT NULL;
CREATE INDEX link_alone_by_expiry ON link (expires_at)
  WHERE reusable_id IS NULL AND at_counter = 0 AND status IN ('pending', 'partial', 'error') AND expires_at IS NOT NULL;
CREATE INDEX link_at_counter ON link (created_at, id) WHERE at_counter = 1;
CREATE INDEX reusable_link_by_time ON reusable_link (created_at, id, voided_at, expires_at);
-- Payments of a reusable link of which something has come or been said: most that are begun are never paid.
CREATE INDEX link_payment ON link (reusable_id, id) WHERE reusable_id IS NOT NULL AND status <> 'pending';
