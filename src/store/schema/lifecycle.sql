-- Version 2: what becomes of an invoice or a link after it is made. Tables whose conditions change are made anew.

CREATE TABLE invoice_2 (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  -- What people call it: made of `sequence` by TILL_INVOICE_NUMBER.
  number TEXT NOT NULL UNIQUE,
  id TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES deposit,
  merchant_email TEXT NOT NULL,
  merchant_name TEXT NOT NULL,
  merchant_address TEXT NOT NULL,
  vendor_name TEXT NOT NULL,
  vendor_email TEXT NOT NULL,
  vendor_address TEXT,
  issue_date TEXT NOT NULL,
  due_date TEXT NOT NULL,
  notes TEXT,
  -- The merchant's own: an order number that everybody sees, and JSON that nobody else does.
  reference TEXT,
  metadata TEXT,
  total_amount INTEGER NOT NULL CHECK (total_amount > 0),
  status TEXT NOT NULL CHECK (status IN ('draft', 'sent', 'paid', 'partial', 'excess', 'void')),
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  webhook_url TEXT,
  -- Sealed, as in `webhook_event`.
  webhook_secret TEXT,
  webhook_events TEXT NOT NULL DEFAULT 'contract' CHECK (webhook_events IN ('contract', 'standard')),
  -- Days from the due date on which the customer is reminded, as a JSON array; null: as TILL_REMINDERS says.
  reminders TEXT,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  voided_at INTEGER,
  void_reason TEXT,
  -- Since when it counts as paid in another way, as the merchant says.
  marked_paid_at INTEGER,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL)),
  CHECK ((status = 'void') = (voided_at IS NOT NULL))
) STRICT;
INSERT INTO invoice_2 (sequence, number, id, slug, deposit_index, merchant_email, merchant_name, merchant_address, vendor_name,
    vendor_email, vendor_address, issue_date, due_date, notes, total_amount, status, wallet_type, webhook_url,
    webhook_secret, created_at, sent_at)
  SELECT sequence, printf('INV-%04d', sequence), id, slug, deposit_index, merchant_email, merchant_name,
    merchant_address, vendor_name,
    vendor_email, vendor_address, issue_date, due_date, notes, total_amount, status, wallet_type, webhook_url,
    webhook_secret, created_at, sent_at
  FROM invoice;
DROP TABLE invoice;
ALTER TABLE invoice_2 RENAME TO invoice;
CREATE INDEX invoice_by_status ON invoice (status, sequence);
CREATE INDEX invoice_by_reference ON invoice (reference, sequence) WHERE reference IS NOT NULL;
-- What a customer may be reminded of.
CREATE INDEX invoice_by_due_date ON invoice (due_date) WHERE status IN ('sent', 'partial');

CREATE TRIGGER invoice_snapshot_is_immutable
BEFORE UPDATE OF sequence, number, id, merchant_name, merchant_address ON invoice
BEGIN SELECT RAISE(ABORT, 'the number and the merchant of an invoice never change'); END;

-- A link that is paid many times: each payment that is begun becomes a `link` of its own.
CREATE TABLE reusable_link (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  merchant_email TEXT NOT NULL,
  business_name TEXT NOT NULL,
  product_description TEXT,
  -- For one piece; null when the payer chooses between the two others.
  amount INTEGER CHECK (amount > 0),
  amount_min INTEGER CHECK (amount_min > 0),
  amount_max INTEGER CHECK (amount_max >= amount_min),
  quantity_max INTEGER NOT NULL DEFAULT 1 CHECK (quantity_max > 0),
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  -- For `byo`.
  wallet_address TEXT,
  success_url TEXT,
  webhook_url TEXT,
  webhook_secret TEXT,
  webhook_events TEXT NOT NULL DEFAULT 'contract' CHECK (webhook_events IN ('contract', 'standard')),
  reference TEXT,
  metadata TEXT,
  embed_origins TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  voided_at INTEGER,
  void_reason TEXT,
  -- Kept by the triggers below: how many payments were begun, how many are paid, and what has come in for all of them.
  payments_begun INTEGER NOT NULL DEFAULT 0,
  payments_paid INTEGER NOT NULL DEFAULT 0,
  received_amount INTEGER NOT NULL DEFAULT 0,
  CHECK ((amount IS NULL) = (amount_min IS NOT NULL AND amount_max IS NOT NULL)),
  CHECK ((wallet_type = 'byo') = (wallet_address IS NOT NULL)),
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
) STRICT;

CREATE TABLE link_2 (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES deposit,
  merchant_email TEXT NOT NULL,
  business_name TEXT NOT NULL,
  product_description TEXT,
  reference TEXT,
  metadata TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'partial', 'excess', 'error', 'void')),
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  success_url TEXT,
  webhook_url TEXT,
  -- Sealed, as in `webhook_event`.
  webhook_secret TEXT,
  webhook_events TEXT NOT NULL DEFAULT 'contract' CHECK (webhook_events IN ('contract', 'standard')),
  -- Where the payer wants a receipt.
  payer_email TEXT,
  -- The reusable link that it is a payment of, and how many pieces.
  reusable_id INTEGER REFERENCES reusable_link,
  quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
  created_at INTEGER NOT NULL,
  -- From then on its page asks for no money.
  expires_at INTEGER,
  voided_at INTEGER,
  void_reason TEXT,
  marked_paid_at INTEGER,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL)),
  CHECK ((status = 'void') = (voided_at IS NOT NULL))
) STRICT;
INSERT INTO link_2 (id, slug, deposit_index, merchant_email, business_name, product_description, status, wallet_type,
    success_url, webhook_url, webhook_secret, created_at)
  SELECT id, slug, deposit_index, merchant_email, business_name, product_description, status, wallet_type,
    success_url, webhook_url, webhook_secret, created_at
  FROM link;
DROP TABLE link;
ALTER TABLE link_2 RENAME TO link;
CREATE INDEX link_by_status ON link (status, id);
CREATE INDEX link_by_reference ON link (reference, id) WHERE reference IS NOT NULL;
CREATE INDEX link_by_reusable ON link (reusable_id, id) WHERE reusable_id IS NOT NULL;
-- Payments that were begun and that nobody has paid: there may be only so many a day.
CREATE INDEX link_unpaid ON link (reusable_id, created_at) WHERE status = 'pending' AND reusable_id IS NOT NULL;

CREATE TRIGGER reusable_link_begun AFTER INSERT ON link WHEN NEW.reusable_id IS NOT NULL
BEGIN UPDATE reusable_link SET payments_begun = payments_begun + 1 WHERE id = NEW.reusable_id; END;
CREATE TRIGGER reusable_link_paid AFTER UPDATE OF status ON link WHEN NEW.reusable_id IS NOT NULL
BEGIN UPDATE reusable_link SET payments_paid = payments_paid
  + (NEW.status IN ('confirmed', 'excess')) - (OLD.status IN ('confirmed', 'excess')) WHERE id = NEW.reusable_id; END;
CREATE TRIGGER reusable_link_received AFTER UPDATE OF received_amount ON deposit
WHEN NEW.received_amount <> OLD.received_amount
BEGIN UPDATE reusable_link SET received_amount = received_amount + NEW.received_amount - OLD.received_amount
  WHERE id = (SELECT reusable_id FROM link WHERE deposit_index = NEW.deposit_index); END;

-- What happened to an invoice or a link, in the order in which it happened. `data` is JSON.
CREATE TABLE event (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- Each with the position, as every index ends with it.
CREATE INDEX event_by_deposit ON event (deposit_index);
CREATE INDEX event_by_type ON event (type);

-- One webhook: of the contract for each status of a deposit once, as their id says; of the standard form for an event.
CREATE TABLE webhook_event_2 (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  status TEXT NOT NULL,
  url TEXT NOT NULL,
  -- The origin of `url`: one that answers slowly keeps no other waiting.
  receiver TEXT NOT NULL,
  -- Sealed for its deposit: the same text as at the invoice or link.
  secret TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
) STRICT;
INSERT INTO webhook_event_2 (id, deposit_index, status, url, receiver, secret, body, state, attempts, next_attempt_at,
    created_at)
  SELECT id, deposit_index, status, url, receiver, secret, body, state, attempts, next_attempt_at, created_at
  FROM webhook_event ORDER BY rowid;
DROP TABLE webhook_event;
ALTER TABLE webhook_event_2 RENAME TO webhook_event;
CREATE INDEX webhook_event_by_deposit ON webhook_event (deposit_index);
CREATE INDEX webhook_event_due ON webhook_event (next_attempt_at) WHERE state = 'pending';
-- What waits for one receiver, without reading what waits for the others.
CREATE INDEX webhook_event_waiting ON webhook_event (receiver, next_attempt_at) WHERE state = 'pending';

CREATE TABLE mail_2 (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  -- invoice, reminder, void and receipt go to the one who pays, notice to the merchant.
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'reminder', 'void', 'receipt', 'notice')),
  -- What it is about when there can be several of its kind: a mail goes out once for each, but for `invoice`.
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
INSERT INTO mail_2 (id, deposit_index, kind, state, attempts, next_attempt_at, content_at, reason, refused, created_at)
  SELECT mail.id, invoice.deposit_index, kind, state, attempts, next_attempt_at, content_at, reason, refused,
    mail.created_at
  FROM mail JOIN invoice USING (sequence) ORDER BY mail.rowid;
DROP TABLE mail;
ALTER TABLE mail_2 RENAME TO mail;
CREATE INDEX mail_by_deposit ON mail (deposit_index);
CREATE UNIQUE INDEX mail_once ON mail (deposit_index, kind, occasion) WHERE kind <> 'invoice';
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mail_open ON mail (state, created_at) WHERE state IN ('queued', 'sending', 'failed', 'unknown');

-- When it was confirmed; null when it is not, or was before this column.
ALTER TABLE transfer ADD COLUMN confirmed_at INTEGER;
-- When its block was made, as the chain says, and at the latest when it was seen: that is all that is known of the
-- transfers from before this column.
ALTER TABLE transfer ADD COLUMN made_at INTEGER NOT NULL DEFAULT 0;
UPDATE transfer SET made_at = seen_at;

-- The day up to which reminders were looked for, in the merchant's time zone: one row, or none.
CREATE TABLE reminders_seen (id INTEGER PRIMARY KEY CHECK (id = 1), day TEXT NOT NULL) STRICT;
