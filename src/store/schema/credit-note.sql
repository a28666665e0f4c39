-- Version 6, beside business.sql: credit notes.

CREATE TABLE credit_note (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  -- What people call it: made of `sequence` by TILL_CREDIT_NOTE_NUMBER.
  number TEXT NOT NULL UNIQUE,
  id TEXT NOT NULL UNIQUE,
  -- The sequence of the invoice that it refers to.
  invoice INTEGER NOT NULL REFERENCES invoice (sequence),
  issue_date TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- As of an invoice, in its currency; JSON, as nothing is ever asked of their parts.
  lines TEXT NOT NULL,
  totals TEXT NOT NULL,
  -- What it lowers the invoice by, and what of that was paid already and is to be returned.
  usdc_amount INTEGER NOT NULL CHECK (usdc_amount >= 0),
  return_amount INTEGER NOT NULL CHECK (return_amount BETWEEN 0 AND usdc_amount),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credit_note_by_invoice ON credit_note (invoice, sequence);
CREATE INDEX credit_note_by_day ON credit_note (issue_date, sequence);
CREATE TRIGGER credit_note_is_final BEFORE UPDATE ON credit_note
BEGIN SELECT RAISE(ABORT, 'a credit note never changes'); END;
CREATE TRIGGER credit_note_stays BEFORE DELETE ON credit_note
BEGIN SELECT RAISE(ABORT, 'a credit note is never deleted'); END;

-- Searched as invoices are, see desk-lists.sql: by what its invoice is found by, too.
CREATE VIEW credit_note_words AS
  SELECT credit_note.sequence AS id, concat_ws(' ', credit_note.number, invoice.number, reference, vendor_name, vendor_email,
    printf('%d.%02d', micro / 1000000, micro / 10000 % 100)) AS words
  FROM (SELECT *, CAST(totals ->> '$.total.micro' AS INTEGER) AS micro FROM credit_note) AS credit_note
    JOIN invoice ON invoice.sequence = credit_note.invoice;
CREATE VIRTUAL TABLE credit_note_search USING fts5 (
  words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8 9 10 11'
);

ALTER TABLE next_numbers ADD COLUMN credit_note INTEGER NOT NULL DEFAULT 1 CHECK (credit_note > 0);

-- What its credit notes come to, in its currency.
ALTER TABLE invoice ADD COLUMN credited_amount INTEGER NOT NULL DEFAULT 0 CHECK (credited_amount >= 0);

-- The sums of its credit notes. What is still owed is `due_amount`: what was credited is off it, but of what the
-- customer had paid when it was credited, and is to get back, as much as is still there counts as owed: who has paid
-- stays one who has paid, and who pays the whole of an amount that was lowered before has paid too much.
ALTER TABLE deposit ADD COLUMN credited_amount INTEGER NOT NULL DEFAULT 0 CHECK (credited_amount >= 0);
ALTER TABLE deposit ADD COLUMN return_amount INTEGER NOT NULL DEFAULT 0 CHECK (return_amount >= 0);
ALTER TABLE deposit ADD COLUMN due_amount INTEGER GENERATED ALWAYS AS (
  max(expected_amount - credited_amount, min(received_amount, expected_amount - credited_amount + return_amount))
) VIRTUAL;
-- A tenth of what is due at most, as when the deposit is made.
ALTER TABLE deposit ADD COLUMN due_tolerance INTEGER GENERATED ALWAYS AS (
  iif(credited_amount = 0, tolerance_amount, min(tolerance_amount, due_amount / 10))
) VIRTUAL;

-- What is open, and the customers, by what is due: also when an invoice is quoted again. These run at every payment, so
-- each change finds its one row by a key: for UPDATE … FROM, INSERT … SELECT and a list after IN SQLite builds a table
-- each time, which takes longer than the change.
DROP TRIGGER invoice_changed;
CREATE TRIGGER invoice_closed AFTER UPDATE OF status ON invoice
WHEN (OLD.status = 'draft' OR OLD.status = 'sent' OR OLD.status = 'partial')
  AND NOT (NEW.status = 'draft' OR NEW.status = 'sent' OR NEW.status = 'partial')
BEGIN
  UPDATE owed SET invoices = invoices - 1, amount = amount
    - (SELECT max(0, due_amount - received_amount) FROM deposit WHERE deposit_index = NEW.deposit_index)
  WHERE due_date = NEW.due_date AND issue_date = NEW.issue_date;
  DELETE FROM owed WHERE due_date = NEW.due_date AND issue_date = NEW.issue_date AND invoices = 0;
  UPDATE customer SET open_amount = open_amount
    - (SELECT max(0, due_amount - received_amount) FROM deposit WHERE deposit_index = NEW.deposit_index)
  WHERE key = lower(NEW.vendor_email);
END;
CREATE TRIGGER invoice_opened_again AFTER UPDATE OF status ON invoice
WHEN (NEW.status = 'draft' OR NEW.status = 'sent' OR NEW.status = 'partial')
  AND NOT (OLD.status = 'draft' OR OLD.status = 'sent' OR OLD.status = 'partial')
BEGIN
  INSERT INTO owed (due_date, issue_date, invoices, amount) VALUES (NEW.due_date, NEW.issue_date, 1,
      (SELECT max(0, due_amount - received_amount) FROM deposit WHERE deposit_index = NEW.deposit_index))
    ON CONFLICT DO UPDATE SET invoices = invoices + 1, amount = amount + excluded.amount;
  UPDATE customer SET open_amount = open_amount
    + (SELECT max(0, due_amount - received_amount) FROM deposit WHERE deposit_index = NEW.deposit_index)
  WHERE key = lower(NEW.vendor_email);
END;
CREATE TRIGGER invoice_marked AFTER UPDATE OF marked_paid_at ON invoice
WHEN (NEW.marked_paid_at IS NULL) <> (OLD.marked_paid_at IS NULL)
BEGIN
  UPDATE customer SET paid_amount = paid_amount + iif(NEW.marked_paid_at IS NULL, -1, 1)
    * (SELECT max(0, due_amount - received_amount) FROM deposit WHERE deposit_index = NEW.deposit_index)
  WHERE key = lower(NEW.vendor_email);
END;
DROP TRIGGER invoice_received;
CREATE TRIGGER invoice_received AFTER UPDATE OF received_amount, expected_amount, credited_amount, return_amount ON deposit
WHEN NEW.received_amount <> OLD.received_amount OR NEW.due_amount <> OLD.due_amount
BEGIN
  UPDATE owed SET amount = amount
      + max(0, NEW.due_amount - NEW.received_amount) - max(0, OLD.due_amount - OLD.received_amount)
  WHERE (due_date, issue_date) = (SELECT due_date, issue_date FROM invoice WHERE deposit_index = NEW.deposit_index
    AND (status = 'draft' OR status = 'sent' OR status = 'partial'));
  UPDATE customer SET (open_amount, paid_amount) = (SELECT
      open_amount + (status = 'draft' OR status = 'sent' OR status = 'partial')
        * (max(0, NEW.due_amount - NEW.received_amount) - max(0, OLD.due_amount - OLD.received_amount)),
      paid_amount + iif(marked_paid_at IS NULL, NEW.received_amount - OLD.received_amount,
        max(NEW.due_amount, NEW.received_amount) - max(OLD.due_amount, OLD.received_amount))
    FROM invoice WHERE deposit_index = NEW.deposit_index)
  WHERE key = (SELECT lower(vendor_email) FROM invoice WHERE deposit_index = NEW.deposit_index);
END;

-- The kinds of mails have one more.
CREATE TABLE mail_6 (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  -- notice goes to the merchant, the others to the one who pays.
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'reminder', 'void', 'receipt', 'notice', 'credit')),
  -- What it is about when there can be several of its kind: a mail goes out once for each, but for `invoice` and `credit`.
  occasion TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'superseded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  -- When the content began to be handed over. From then on only the mail server knows whether it was delivered.
  content_at INTEGER,
  reason TEXT,
  -- Whether the mail server refused this mail for good.
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)),
  created_at INTEGER NOT NULL,
  -- When it was known what became of it.
  ended_at INTEGER,
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL))
) STRICT;
INSERT INTO mail_6 (id, deposit_index, kind, occasion, state, attempts, next_attempt_at, content_at, reason, refused,
    created_at, ended_at)
  SELECT id, deposit_index, kind, occasion, state, attempts, next_attempt_at, content_at, reason, refused, created_at,
    ended_at
  FROM mail ORDER BY rowid;
DROP TABLE mail;
ALTER TABLE mail_6 RENAME TO mail;
CREATE INDEX mail_by_deposit ON mail (deposit_index);
CREATE UNIQUE INDEX mail_once ON mail (deposit_index, kind, occasion) WHERE kind NOT IN ('invoice', 'credit');
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mail_open ON mail (state, created_at) WHERE state IN ('queued', 'sending', 'failed', 'unknown');
