-- The schema of Till, as one step from nothing. A released step never changes: later ones follow in migrations.ts.
-- Amounts are micro-USDC, or millionths of the currency of an invoice or a link; times Unix milliseconds; hashes and addresses text
-- with 0x. Sums and lists that many rows make are kept by triggers.

-- The installation

-- The chain that the data belongs to.
CREATE TABLE chain (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  chain_id INTEGER NOT NULL,
  genesis_hash TEXT NOT NULL
) STRICT;

-- The wallet that all deposit addresses and sealed secrets come from.
CREATE TABLE wallet (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  gas_address TEXT NOT NULL,
  -- When the words of the wallet were shown, or somebody said that they have them: null while nobody may have a copy.
  words_at INTEGER
) STRICT;

-- The lowest numbers that may still be given out: numbers above those of a restored backup may be in use somewhere.
CREATE TABLE next_numbers (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  deposit_index INTEGER NOT NULL CHECK (deposit_index >= 0),
  account_index INTEGER NOT NULL CHECK (account_index > 0),
  sequence INTEGER NOT NULL CHECK (sequence > 0),
  credit_note INTEGER NOT NULL DEFAULT 1 CHECK (credit_note > 0),
  receipt INTEGER NOT NULL DEFAULT 1 CHECK (receipt > 0),
  -- When Till first ran with this data; null before.
  first_run_at INTEGER
) STRICT;

-- A shop whose plugin speaks the Greenfield API: what its payment links have in common.
CREATE TABLE store (
  id TEXT PRIMARY KEY,
  merchant_email TEXT NOT NULL,
  merchant TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  -- Null for the wallet that Till manages.
  wallet_address TEXT,
  -- What it charges in unless a plugin says otherwise; null for USDC.
  currency TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  scope TEXT NOT NULL CHECK (scope IN ('read', 'shop', 'full', 'metrics')),
  -- Of a key that sees and touches what is one merchant's alone: the mail address in its normal form.
  merchant TEXT,
  -- Of a key of a shop's plugin, with the permissions that it asked for as a JSON array.
  store_id TEXT REFERENCES store,
  permissions TEXT,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  expires_at INTEGER,
  revoked_at INTEGER,
  -- From when on it may name a wallet that this Till never paid to: one that was made at the desk waits.
  wallets_from INTEGER NOT NULL DEFAULT 0,
  CHECK (merchant IS NULL OR scope IN ('read', 'shop')),
  CHECK (store_id IS NULL OR (merchant IS NOT NULL AND scope = 'shop')),
  CHECK ((store_id IS NULL) = (permissions IS NULL))
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

-- When `till backup` last made one: one row, or none.
CREATE TABLE backup_made (id INTEGER PRIMARY KEY CHECK (id = 1),
  made_at INTEGER NOT NULL,
  -- Whether the wallet is in the newest backup.
  has_wallet INTEGER NOT NULL DEFAULT 1 CHECK (has_wallet IN (0, 1))
) STRICT;

-- Invoices, links and customers

CREATE TABLE merchant (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  account_index INTEGER NOT NULL UNIQUE CHECK (account_index > 0)
) STRICT;

CREATE TABLE saved_party (
  role TEXT NOT NULL CHECK (role IN ('merchant', 'vendor')),
  -- In its normal form.
  email TEXT NOT NULL,
  name TEXT,
  address TEXT,
  -- JSON.
  details TEXT,
  -- Of a merchant: what new invoices say, and that 1 USDC counts as 1 USD.
  payment_terms TEXT,
  usd_parity INTEGER NOT NULL CHECK (usd_parity IN (0, 1)),
  -- Of a customer: that of new invoices.
  language TEXT,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (role, email)
) STRICT, WITHOUT ROWID;

-- What is owed at one deposit address, and what has come to it: all that invoices and links have in common.
CREATE TABLE receivable (
  deposit_index INTEGER PRIMARY KEY CHECK (deposit_index >= 0),
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'link')),
  merchant_email TEXT NOT NULL,
  -- Its normal form, here and below: what a key of one merchant is narrowed to.
  merchant TEXT NOT NULL,
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  webhook_events TEXT NOT NULL CHECK (webhook_events IN ('contract', 'standard')),
  -- Of mails, PDF and page; null: as TILL_LANGUAGE says.
  language TEXT,
  voided_at INTEGER,
  -- Since when it counts as paid in another way, as the merchant says.
  marked_paid_at INTEGER,
  address TEXT NOT NULL UNIQUE,
  payout_wallet TEXT NOT NULL,
  salt TEXT NOT NULL UNIQUE,
  factory TEXT NOT NULL,
  expected_amount INTEGER NOT NULL CHECK (expected_amount > 0),
  -- How much less than `expected_amount` still counts as paid: what TILL_TOLERANCE allowed at creation.
  tolerance_amount INTEGER NOT NULL CHECK (tolerance_amount >= 0 AND tolerance_amount < expected_amount),
  received_amount INTEGER NOT NULL DEFAULT 0 CHECK (received_amount >= 0),
  pending_amount INTEGER NOT NULL DEFAULT 0 CHECK (pending_amount >= 0),
  settled_amount INTEGER NOT NULL DEFAULT 0 CHECK (settled_amount >= 0),
  created_at INTEGER NOT NULL,
  -- No payment can be in a block up to this one: nobody knew the address yet.
  created_block INTEGER NOT NULL CHECK (created_block >= 0),
  changed_at INTEGER NOT NULL,
  -- When the balance of the address is compared with the books, and the block as of which they last agreed.
  compare_at INTEGER NOT NULL,
  explained_block INTEGER NOT NULL,
  -- Whether there is code at the address: somebody emptied it once.
  has_code INTEGER NOT NULL DEFAULT 0 CHECK (has_code IN (0, 1)),
  -- The sums of its credit notes. What is still owed is `due_amount`: what was credited is off it, but of what the
  -- customer had paid when it was credited, and is to get back, as much as is still there counts as owed: who has paid
  -- stays one who has paid, and who pays the whole of an amount that was lowered before has paid too much.
  credited_amount INTEGER NOT NULL DEFAULT 0 CHECK (credited_amount >= 0),
  return_amount INTEGER NOT NULL DEFAULT 0 CHECK (return_amount >= 0),
  due_amount INTEGER GENERATED ALWAYS AS (
  max(expected_amount - credited_amount, min(received_amount, expected_amount - credited_amount + return_amount))
) VIRTUAL,
  -- A tenth of what is due at most, as when the deposit is made.
  due_tolerance INTEGER GENERATED ALWAYS AS (
  iif(credited_amount = 0, tolerance_amount, min(tolerance_amount, due_amount / 10))
) VIRTUAL,
  -- Kept by triggers: what of it was paid in another way as the merchant says, and what refunds have given back and are
  -- to give back. What is above what is owed and in no refund yet is `to_refund`.
  elsewhere_amount INTEGER NOT NULL DEFAULT 0 CHECK (elsewhere_amount >= 0),
  refunded_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunded_amount >= 0),
  refunding_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunding_amount >= 0),
  -- The part of refunded_amount that was given back outside of Till.
  refunded_elsewhere_amount INTEGER NOT NULL DEFAULT 0 CHECK (refunded_elsewhere_amount >= 0),
  -- When the payer asked for what was paid too much.
  refund_asked_at INTEGER,
  over_amount INTEGER GENERATED ALWAYS AS (
  received_amount + elsewhere_amount - iif(voided_at IS NULL, expected_amount - credited_amount, 0)
    - refunded_amount - refunding_amount
) VIRTUAL,
  to_refund INTEGER GENERATED ALWAYS AS (iif(over_amount < 10000, 0, over_amount)) VIRTUAL,
  -- What is left to pay. Below a cent nothing has come, and nothing is too much: dust decides nothing.
  left_amount INTEGER GENERATED ALWAYS AS (
  max(0, due_amount - iif(received_amount < 10000, 0, received_amount))
) VIRTUAL,
  -- What may be long comes last: SQLite reads a row from its beginning, and no further than it has to.
  -- The merchant's own: an order number that everybody sees, and JSON that nobody else does.
  reference TEXT,
  metadata TEXT,
  -- The code, the total in it, and the rate that was fixed; null for USDC.
  currency TEXT,
  webhook_url TEXT,
  -- Sealed, as in `webhook_event`.
  webhook_secret TEXT,
  void_reason TEXT,
  CHECK ((webhook_url IS NULL) = (webhook_secret IS NULL))
) STRICT;
-- Each list of one merchant, or with one reference, is of invoices or of links, in the order in which they were made.
CREATE INDEX receivable_by_merchant ON receivable (merchant, kind, deposit_index);
CREATE INDEX receivable_by_reference ON receivable (reference, kind, deposit_index) WHERE reference IS NOT NULL;
CREATE INDEX receivable_to_refund ON receivable (deposit_index) WHERE to_refund > 0;
CREATE INDEX receivable_to_refund_by_merchant ON receivable (merchant, deposit_index) WHERE to_refund > 0;
CREATE INDEX receivable_by_change ON receivable (changed_at);
CREATE INDEX receivable_unsettled ON receivable (deposit_index) WHERE received_amount > settled_amount;
-- Deposits worth settling, without reading those that hold too little.
CREATE INDEX receivable_to_settle ON receivable (received_amount - settled_amount) WHERE received_amount > settled_amount;
CREATE INDEX receivable_to_compare ON receivable (compare_at);

CREATE TRIGGER receivable_marked AFTER UPDATE OF marked_paid_at ON receivable
WHEN NEW.marked_paid_at IS NOT OLD.marked_paid_at
BEGIN
  UPDATE receivable SET elsewhere_amount = iif(NEW.marked_paid_at IS NULL, 0, left_amount)
  WHERE deposit_index = NEW.deposit_index;
  UPDATE customer SET paid_amount = paid_amount
    + ((NEW.marked_paid_at IS NOT NULL) - (OLD.marked_paid_at IS NOT NULL)) * max(0, NEW.due_amount - NEW.received_amount)
  WHERE key = (SELECT lower(vendor_email) FROM invoice WHERE deposit_index = NEW.deposit_index);
END;

CREATE TRIGGER receivable_reference_changed AFTER UPDATE OF reference ON receivable
WHEN NEW.kind = 'invoice' AND NEW.reference IS NOT OLD.reference
BEGIN
  INSERT INTO invoice_unindexed (id) SELECT sequence FROM invoice WHERE deposit_index = NEW.deposit_index
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER reusable_link_received AFTER UPDATE OF received_amount ON receivable
WHEN NEW.received_amount <> OLD.received_amount
BEGIN UPDATE reusable_link SET received_amount = received_amount + NEW.received_amount - OLD.received_amount
  WHERE id = (SELECT reusable_id FROM link WHERE deposit_index = NEW.deposit_index); END;

CREATE TRIGGER receivable_made AFTER INSERT ON receivable
BEGIN
  INSERT INTO payout (wallet) VALUES (NEW.payout_wallet) ON CONFLICT DO NOTHING;
  UPDATE payout SET
    received_amount = received_amount + NEW.received_amount,
    settled_amount = settled_amount + NEW.settled_amount,
    waiting_amount = waiting_amount + max(NEW.received_amount - NEW.settled_amount, 0),
    waiting_deposits = waiting_deposits + (NEW.received_amount > NEW.settled_amount)
  WHERE wallet IN ('', NEW.payout_wallet) AND NEW.received_amount + NEW.settled_amount > 0;
END;

CREATE TRIGGER receivable_moved AFTER UPDATE OF received_amount, settled_amount ON receivable
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

CREATE TRIGGER invoice_received AFTER UPDATE OF received_amount, expected_amount, credited_amount, return_amount ON receivable
WHEN NEW.received_amount <> OLD.received_amount OR NEW.due_amount <> OLD.due_amount
BEGIN
  UPDATE owed SET amount = amount
      + NEW.left_amount - OLD.left_amount
  WHERE (due_date, issue_date) = (SELECT due_date, issue_date FROM invoice WHERE deposit_index = NEW.deposit_index
    AND (status = 'draft' OR status = 'sent' OR status = 'partial'));
  UPDATE customer SET (open_amount, paid_amount) = (SELECT
      open_amount + (status = 'draft' OR status = 'sent' OR status = 'partial')
        * (NEW.left_amount - OLD.left_amount),
      paid_amount + iif(NEW.marked_paid_at IS NULL, NEW.received_amount - OLD.received_amount,
        max(NEW.due_amount, NEW.received_amount) - max(OLD.due_amount, OLD.received_amount))
    FROM invoice WHERE deposit_index = NEW.deposit_index)
  WHERE key = (SELECT lower(vendor_email) FROM invoice WHERE deposit_index = NEW.deposit_index);
END;

CREATE TABLE invoice (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  -- What people call it: made of `sequence` by TILL_INVOICE_NUMBER.
  number TEXT NOT NULL UNIQUE,
  id TEXT NOT NULL UNIQUE,
  slug TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES receivable,
  merchant_name TEXT NOT NULL,
  merchant_address TEXT NOT NULL,
  vendor_name TEXT NOT NULL,
  vendor_email TEXT NOT NULL,
  vendor_address TEXT,
  issue_date TEXT NOT NULL,
  due_date TEXT NOT NULL,
  notes TEXT,
  status TEXT NOT NULL CHECK (status IN ('draft', 'sent', 'paid', 'partial', 'excess', 'void')),
  -- Days from the due date on which the customer is reminded, as a JSON array; null: as TILL_REMINDERS says.
  reminders TEXT,
  created_at INTEGER NOT NULL,
  sent_at INTEGER,
  discount TEXT,
  prices_include_tax INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1)),
  -- How the total comes about, as it was issued: it never changes, whatever a later Till computes.
  totals TEXT,
  merchant_details TEXT,
  vendor_details TEXT,
  payment_terms TEXT,
  delivery TEXT,
  buyer_reference TEXT,
  purchase_order TEXT,
  -- The tax in the currency of the seller's country, with its rate, as it was issued.
  tax_in_currency TEXT,
  -- What its credit notes come to, in its currency.
  credited_amount INTEGER NOT NULL DEFAULT 0 CHECK (credited_amount >= 0),
  -- When what is not the bill itself was last corrected.
  corrected_at INTEGER
) STRICT;
CREATE INDEX invoice_by_status ON invoice (status, sequence);
-- What a customer may be reminded of.
CREATE INDEX invoice_by_due_date ON invoice (due_date) WHERE status IN ('sent', 'partial');
-- Lists of invoices between two days, of those that are late, and of one customer.
CREATE INDEX invoice_by_status_and_day ON invoice (status, issue_date);
CREATE INDEX invoice_open_by_days ON invoice (due_date, issue_date) WHERE status IN ('draft', 'sent', 'partial');
CREATE INDEX invoice_by_customer ON invoice (lower(vendor_email));

CREATE TRIGGER invoice_snapshot_is_immutable
BEFORE UPDATE OF sequence, number, id, merchant_name, merchant_address ON invoice
BEGIN SELECT RAISE(ABORT, 'the number and the merchant of an invoice never change'); END;

-- What is open by its two days, and the customers, as invoices and their deposits change.
CREATE TRIGGER invoice_made AFTER INSERT ON invoice
BEGIN
  INSERT INTO owed (due_date, issue_date, invoices, amount)
    SELECT NEW.due_date, NEW.issue_date, 1, left_amount
    FROM receivable WHERE deposit_index = NEW.deposit_index AND NEW.status IN ('draft', 'sent', 'partial')
    ON CONFLICT DO UPDATE SET invoices = invoices + 1, amount = amount + excluded.amount;
  INSERT INTO customer (key, email, name, last_sequence, invoices, open_amount, paid_amount)
    SELECT lower(NEW.vendor_email), NEW.vendor_email, NEW.vendor_name, NEW.sequence, 1,
      CASE WHEN NEW.status IN ('draft', 'sent', 'partial') THEN left_amount ELSE 0 END,
      CASE WHEN marked_paid_at IS NULL THEN received_amount ELSE max(due_amount, received_amount) END
    FROM receivable WHERE deposit_index = NEW.deposit_index
    ON CONFLICT (key) DO UPDATE SET email = excluded.email, name = excluded.name,
      last_sequence = excluded.last_sequence, invoices = invoices + 1,
      open_amount = open_amount + excluded.open_amount, paid_amount = paid_amount + excluded.paid_amount;
END;

-- A correction moves it to another day, or to another customer.
CREATE TRIGGER invoice_due_moved AFTER UPDATE OF due_date ON invoice
WHEN NEW.due_date <> OLD.due_date AND NEW.status IN ('draft', 'sent', 'partial')
BEGIN
  UPDATE owed SET invoices = invoices - 1, amount = amount
    - (SELECT left_amount FROM receivable WHERE deposit_index = NEW.deposit_index)
  WHERE due_date = OLD.due_date AND issue_date = OLD.issue_date;
  DELETE FROM owed WHERE due_date = OLD.due_date AND issue_date = OLD.issue_date AND invoices = 0;
  INSERT INTO owed (due_date, issue_date, invoices, amount)
    SELECT NEW.due_date, NEW.issue_date, 1, left_amount
    FROM receivable WHERE deposit_index = NEW.deposit_index
    ON CONFLICT DO UPDATE SET invoices = invoices + 1, amount = amount + excluded.amount;
END;

CREATE TRIGGER invoice_customer_moved AFTER UPDATE OF vendor_email ON invoice
WHEN lower(NEW.vendor_email) <> lower(OLD.vendor_email)
BEGIN
  UPDATE customer SET invoices = invoices - 1,
    open_amount = open_amount - (SELECT (OLD.status IN ('draft', 'sent', 'partial')) * left_amount
      FROM receivable WHERE deposit_index = OLD.deposit_index),
    paid_amount = paid_amount - (SELECT iif(marked_paid_at IS NULL, received_amount, max(due_amount, received_amount))
      FROM receivable WHERE deposit_index = OLD.deposit_index),
    last_sequence = coalesce((SELECT max(sequence) FROM invoice
      WHERE lower(vendor_email) = lower(OLD.vendor_email)), last_sequence)
  WHERE key = lower(OLD.vendor_email);
  DELETE FROM customer_search WHERE rowid IN
    (SELECT id FROM customer WHERE key = lower(OLD.vendor_email) AND invoices = 0);
  DELETE FROM customer_unindexed WHERE id IN
    (SELECT id FROM customer WHERE key = lower(OLD.vendor_email) AND invoices = 0);
  DELETE FROM customer WHERE key = lower(OLD.vendor_email) AND invoices = 0;
  INSERT INTO customer (key, email, name, last_sequence, invoices, open_amount, paid_amount)
    SELECT lower(NEW.vendor_email), NEW.vendor_email, NEW.vendor_name, NEW.sequence, 1,
      (NEW.status IN ('draft', 'sent', 'partial')) * left_amount,
      iif(marked_paid_at IS NULL, received_amount, max(due_amount, received_amount))
    FROM receivable WHERE deposit_index = NEW.deposit_index
    ON CONFLICT (key) DO UPDATE SET last_sequence = max(last_sequence, excluded.last_sequence),
      invoices = invoices + 1, open_amount = open_amount + excluded.open_amount,
      paid_amount = paid_amount + excluded.paid_amount;
END;

CREATE TRIGGER invoice_words_changed AFTER UPDATE OF vendor_email ON invoice
WHEN NEW.vendor_email <> OLD.vendor_email
BEGIN
  INSERT INTO invoice_unindexed (id) VALUES (NEW.sequence) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER invoice_closed AFTER UPDATE OF status ON invoice
WHEN (OLD.status = 'draft' OR OLD.status = 'sent' OR OLD.status = 'partial')
  AND NOT (NEW.status = 'draft' OR NEW.status = 'sent' OR NEW.status = 'partial')
BEGIN
  UPDATE owed SET invoices = invoices - 1, amount = amount
    - (SELECT left_amount FROM receivable WHERE deposit_index = NEW.deposit_index)
  WHERE due_date = NEW.due_date AND issue_date = NEW.issue_date;
  DELETE FROM owed WHERE due_date = NEW.due_date AND issue_date = NEW.issue_date AND invoices = 0;
  UPDATE customer SET open_amount = open_amount
    - (SELECT left_amount FROM receivable WHERE deposit_index = NEW.deposit_index)
  WHERE key = lower(NEW.vendor_email);
END;

CREATE TRIGGER invoice_opened_again AFTER UPDATE OF status ON invoice
WHEN (NEW.status = 'draft' OR NEW.status = 'sent' OR NEW.status = 'partial')
  AND NOT (OLD.status = 'draft' OR OLD.status = 'sent' OR OLD.status = 'partial')
BEGIN
  INSERT INTO owed (due_date, issue_date, invoices, amount) VALUES (NEW.due_date, NEW.issue_date, 1,
      (SELECT left_amount FROM receivable WHERE deposit_index = NEW.deposit_index))
    ON CONFLICT DO UPDATE SET invoices = invoices + 1, amount = amount + excluded.amount;
  UPDATE customer SET open_amount = open_amount
    + (SELECT left_amount FROM receivable WHERE deposit_index = NEW.deposit_index)
  WHERE key = lower(NEW.vendor_email);
END;

CREATE TABLE line_item (
  sequence INTEGER NOT NULL REFERENCES invoice,
  position INTEGER NOT NULL,
  description TEXT NOT NULL,
  -- Below zero of what is taken back.
  quantity INTEGER NOT NULL CHECK (quantity <> 0),
  unit_price INTEGER NOT NULL CHECK (unit_price >= 0),
  line_total INTEGER NOT NULL CHECK (line_total = 0 OR (line_total > 0) = (quantity > 0)),
  unit TEXT,
  discount TEXT,
  tax TEXT,
  PRIMARY KEY (sequence, position)
) STRICT, WITHOUT ROWID;

-- Documents as they first left Till, byte for byte. One that left while the customer could not know the invoice, as when the
-- merchant looks at a draft, gives way to the next.
CREATE TABLE original (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit', 'receipt')),
  -- The number of a credit note.
  occasion TEXT NOT NULL DEFAULT '',
  form TEXT NOT NULL CHECK (form IN ('pdf', 'cii', 'ubl', 'factur-x')),
  -- When its invoice was last corrected; 1 for a receipt whose tax was stated in another currency; else 0.
  version INTEGER NOT NULL,
  sha256 TEXT NOT NULL CHECK (length(sha256) = 64),
  file_name TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes BLOB NOT NULL,
  is_known INTEGER NOT NULL CHECK (is_known IN (0, 1)),
  kept_at INTEGER NOT NULL,
  UNIQUE (deposit_index, kind, occasion, form, version)
) STRICT;
CREATE INDEX original_by_hash ON original (sha256);

CREATE TABLE credit_note (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  -- What people call it: made of `sequence` by TILL_CREDIT_NOTE_NUMBER.
  number TEXT NOT NULL UNIQUE,
  id TEXT NOT NULL UNIQUE,
  -- The sequence of the invoice that it refers to.
  invoice INTEGER NOT NULL REFERENCES invoice (sequence),
  merchant TEXT NOT NULL,
  issue_date TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- As of an invoice, in its currency; JSON, as nothing is ever asked of their parts.
  lines TEXT NOT NULL,
  totals TEXT NOT NULL,
  tax_in_currency TEXT,
  -- What it lowers the invoice by, and what of that was paid already and is to be returned.
  usdc_amount INTEGER NOT NULL CHECK (usdc_amount >= 0),
  return_amount INTEGER NOT NULL CHECK (return_amount BETWEEN 0 AND usdc_amount),
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX credit_note_by_invoice ON credit_note (invoice, sequence);
CREATE INDEX credit_note_by_day ON credit_note (issue_date, sequence);
CREATE INDEX credit_note_by_merchant ON credit_note (merchant);

CREATE TRIGGER credit_note_is_final BEFORE UPDATE ON credit_note
BEGIN SELECT RAISE(ABORT, 'a credit note never changes'); END;

CREATE TRIGGER credit_note_stays BEFORE DELETE ON credit_note
BEGIN SELECT RAISE(ABORT, 'a credit note is never deleted'); END;

-- Invoices that Till makes again and again.
CREATE TABLE recurring (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  merchant_email TEXT NOT NULL,
  merchant TEXT NOT NULL,
  -- The merchant that the key was for which it was made; null for a key of all, and for the desk.
  confined_to TEXT,
  -- JSON, as POST /api/invoices takes it, without its dates; and the schedule.
  invoice TEXT NOT NULL,
  due_days INTEGER NOT NULL CHECK (due_days >= 0),
  schedule TEXT NOT NULL,
  send_now INTEGER NOT NULL CHECK (send_now IN (0, 1)),
  missed TEXT NOT NULL CHECK (missed IN ('all', 'newest')),
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'ended')),
  pause_cause TEXT CHECK (pause_cause IN ('merchant', 'refused', 'restored')),
  -- Why Till paused it, or cannot make it just now, as JSON.
  reason TEXT,
  -- Dates up to this day are made, or never will be; those that the merchant left out; and the next date.
  handled_to TEXT NOT NULL,
  left_out_to TEXT NOT NULL,
  next_date TEXT,
  made INTEGER NOT NULL DEFAULT 0 CHECK (made >= 0),
  created_at INTEGER NOT NULL,
  CHECK ((status = 'paused') = (pause_cause IS NOT NULL)),
  CHECK (status <> 'active' OR next_date IS NOT NULL)
) STRICT;
CREATE INDEX recurring_due ON recurring (number, next_date) WHERE status = 'active';
CREATE INDEX recurring_by_merchant ON recurring (merchant, number);

-- What was made of each date, written with the invoice: no date is made twice.
CREATE TABLE recurring_made (
  recurring_id TEXT NOT NULL REFERENCES recurring (id),
  day TEXT NOT NULL,
  sequence INTEGER NOT NULL UNIQUE REFERENCES invoice,
  PRIMARY KEY (recurring_id, day)
) STRICT, WITHOUT ROWID;

-- A link that is paid many times: each payment that is begun becomes a `link` of its own.
CREATE TABLE reusable_link (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  merchant_email TEXT NOT NULL,
  merchant TEXT NOT NULL,
  business_name TEXT NOT NULL,
  product_description TEXT,
  -- For one piece; null when the payer chooses between the two others.
  amount INTEGER CHECK (amount > 0),
  amount_min INTEGER CHECK (amount_min > 0),
  amount_max INTEGER CHECK (amount_max >= amount_min),
  quantity_max INTEGER NOT NULL DEFAULT 1 CHECK (quantity_max > 0),
  -- What these amounts are in, and the caller's rate if there is one; null for USDC.
  currency TEXT,
  -- Within them; null when nothing was said of tax.
  tax TEXT,
  -- What each payer is asked for.
  collect TEXT,
  wallet_type TEXT NOT NULL CHECK (wallet_type IN ('managed', 'byo')),
  -- For `byo`.
  wallet_address TEXT,
  success_url TEXT,
  webhook_url TEXT,
  webhook_secret TEXT,
  webhook_events TEXT NOT NULL DEFAULT 'contract' CHECK (webhook_events IN ('contract', 'standard')),
  reference TEXT,
  metadata TEXT,
  language TEXT,
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
CREATE INDEX reusable_link_by_merchant ON reusable_link (merchant);
CREATE INDEX reusable_link_by_time ON reusable_link (created_at, id, voided_at, expires_at);

CREATE TABLE link (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES receivable,
  business_name TEXT NOT NULL,
  product_description TEXT,
  status TEXT NOT NULL CHECK (status IN ('pending', 'confirmed', 'partial', 'excess', 'error', 'void')),
  success_url TEXT,
  -- Where the payer wants a receipt.
  payer_email TEXT,
  -- Lines and totals in its currency; JSON, as nothing is ever asked of their parts.
  bill TEXT,
  -- What the payer is asked for, and what they said.
  collect TEXT,
  payer_details TEXT,
  -- The reusable link that it is a payment of, and how many pieces.
  reusable_id INTEGER REFERENCES reusable_link,
  quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity > 0),
  created_at INTEGER NOT NULL,
  -- From then on its page asks for no money; whether that was told, or need not be.
  expires_at INTEGER,
  expiry_told INTEGER NOT NULL DEFAULT 0 CHECK (expiry_told IN (0, 1)),
  -- Of a link that a shop's plugin made: its order, as JSON text byte for byte.
  store_id TEXT REFERENCES store,
  store_metadata TEXT,
  -- Links. Those of the counter and the payments of a reusable link are many, and each has a list of its own. Each of the
  -- kinds that the list can be narrowed to has its index, by time; what expires, by that too.
  at_counter INTEGER NOT NULL DEFAULT 0 CHECK (at_counter IN (0, 1))
) STRICT;
CREATE INDEX link_by_status ON link (status, id);
CREATE INDEX link_by_store ON link (store_id, id) WHERE store_id IS NOT NULL;
CREATE INDEX link_expiring ON link (expires_at, id) WHERE expires_at IS NOT NULL AND expiry_told = 0;
CREATE INDEX link_by_reusable ON link (reusable_id, id) WHERE reusable_id IS NOT NULL;
-- Payments that were begun and that nobody has paid: so many a day are open, and the oldest ends for another one.
CREATE INDEX link_unpaid ON link (reusable_id, created_at)
  WHERE status = 'pending' AND reusable_id IS NOT NULL AND expires_at IS NULL;
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
-- Payments of a reusable link of which something has come or been said: most that are begun are never paid.
CREATE INDEX link_payment ON link (reusable_id, id) WHERE reusable_id IS NOT NULL AND status <> 'pending';

CREATE TRIGGER reusable_link_begun AFTER INSERT ON link WHEN NEW.reusable_id IS NOT NULL
BEGIN UPDATE reusable_link SET payments_begun = payments_begun + 1 WHERE id = NEW.reusable_id; END;

CREATE TRIGGER reusable_link_paid AFTER UPDATE OF status ON link WHEN NEW.reusable_id IS NOT NULL
BEGIN UPDATE reusable_link SET payments_paid = payments_paid
  + (NEW.status IN ('confirmed', 'excess')) - (OLD.status IN ('confirmed', 'excess')) WHERE id = NEW.reusable_id; END;

-- What a merchant gives back to the one who paid.
CREATE TABLE refund (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  -- Of its invoice or link.
  merchant TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  -- What of it was owed to nobody before: of a link, which has no credit notes.
  credited_amount INTEGER NOT NULL DEFAULT 0 CHECK (credited_amount BETWEEN 0 AND amount),
  -- What it took back of the numbered receipt of a link, as JSON: written once, when it was given back.
  taken_back TEXT,
  -- From Till's wallet, by a transfer from the merchant's own, or outside of Till.
  way TEXT NOT NULL CHECK (way IN ('till', 'wallet', 'elsewhere')),
  state TEXT NOT NULL CHECK (state IN ('requested', 'approved', 'sent', 'confirmed', 'cancelled')),
  -- For the customer, and for the merchant alone.
  reason TEXT,
  note TEXT,
  -- Who is asked for the address, and the newest link for that: its SHA-256, and the link sealed for the mail.
  email TEXT,
  claim_hash TEXT UNIQUE,
  claim_token TEXT,
  claim_ends_at INTEGER,
  claims INTEGER NOT NULL DEFAULT 0,
  -- Whether that link was only mailed.
  is_mailed INTEGER NOT NULL DEFAULT 0 CHECK (is_mailed IN (0, 1)),
  to_address TEXT,
  -- `mail`: by the link that was mailed; `link`: by one that was shown at the desk; `person`: typed there.
  address_by TEXT CHECK (address_by IN ('mail', 'link', 'person')),
  -- When a refund from Till's wallet may be sent; the newest block when it was approved, later the last one read.
  approved_at INTEGER,
  ready_at INTEGER,
  begun_block INTEGER,
  -- Why it was not sent although it was approved: how its withdrawal ended.
  failure TEXT CHECK (failure IN ('expired', 'cancelled', 'replaced')),
  withdrawal_id INTEGER REFERENCES withdrawal,
  -- The transfer that gave it back; of one from the merchant's own wallet its block, too.
  tx_hash TEXT,
  block_number INTEGER,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  ended_at INTEGER,
  CHECK ((to_address IS NULL) = (address_by IS NULL)),
  CHECK ((claim_hash IS NULL) = (claim_token IS NULL)),
  CHECK ((state IN ('confirmed', 'cancelled')) = (ended_at IS NOT NULL)),
  CHECK (state NOT IN ('approved', 'sent') OR to_address IS NOT NULL),
  CHECK (state <> 'sent' OR withdrawal_id IS NOT NULL OR tx_hash IS NOT NULL)
) STRICT;
CREATE INDEX refund_by_deposit ON refund (deposit_index, number);
CREATE INDEX refund_by_merchant ON refund (merchant, number);
CREATE INDEX refund_by_state ON refund (state, number);
CREATE INDEX refund_by_withdrawal ON refund (withdrawal_id) WHERE withdrawal_id IS NOT NULL;
-- What a transaction sends to an address gives back one refund; a wallet may send to several in one.
CREATE UNIQUE INDEX refund_by_transfer ON refund (tx_hash, to_address) WHERE way = 'wallet' AND tx_hash IS NOT NULL;

CREATE TRIGGER refund_made AFTER INSERT ON refund
BEGIN
  UPDATE receivable SET refunding_amount = refunding_amount + iif(NEW.state = 'confirmed', 0, NEW.amount),
    refunded_amount = refunded_amount + iif(NEW.state = 'confirmed', NEW.amount, 0),
    refunded_elsewhere_amount = refunded_elsewhere_amount
      + iif(NEW.state = 'confirmed' AND NEW.way = 'elsewhere', NEW.amount, 0),
    credited_amount = credited_amount + NEW.credited_amount, return_amount = return_amount + NEW.credited_amount
  WHERE deposit_index = NEW.deposit_index;
END;

CREATE TRIGGER refund_moved AFTER UPDATE OF state ON refund WHEN NEW.state <> OLD.state
BEGIN
  UPDATE receivable SET
    refunding_amount = refunding_amount + NEW.amount
      * ((NEW.state IN ('requested', 'approved', 'sent')) - (OLD.state IN ('requested', 'approved', 'sent'))),
    refunded_amount = refunded_amount + NEW.amount * ((NEW.state = 'confirmed') - (OLD.state = 'confirmed')),
    refunded_elsewhere_amount = refunded_elsewhere_amount
      + NEW.amount * ((NEW.state = 'confirmed' AND NEW.way = 'elsewhere')
        - (OLD.state = 'confirmed' AND OLD.way = 'elsewhere')),
    credited_amount = credited_amount
      + NEW.credited_amount * ((NEW.state <> 'cancelled') - (OLD.state <> 'cancelled')),
    return_amount = return_amount
      + NEW.credited_amount * ((NEW.state <> 'cancelled') - (OLD.state <> 'cancelled'))
  WHERE deposit_index = NEW.deposit_index;
END;

-- Of a link with tax, since it was first paid: the document that the law wants, in a series of its own.
CREATE TABLE receipt (
  sequence INTEGER PRIMARY KEY CHECK (sequence > 0),
  -- What people call it: made of `sequence` by TILL_RECEIPT_NUMBER.
  number TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL UNIQUE REFERENCES receivable,
  issue_date TEXT NOT NULL,
  -- As they were saved and said then.
  seller TEXT NOT NULL,
  buyer TEXT,
  created_at INTEGER NOT NULL,
  -- In which currency the law wants the tax besides, and that tax once its rate is known.
  tax_currency TEXT,
  tax_in_currency TEXT
) STRICT;

CREATE INDEX receipt_awaiting_rate ON receipt (created_at)
WHERE tax_currency IS NOT NULL AND tax_in_currency IS NULL;

CREATE TRIGGER receipt_is_final
BEFORE UPDATE OF sequence, number, deposit_index, issue_date, seller, buyer, created_at, tax_currency ON receipt
BEGIN SELECT RAISE(ABORT, 'a receipt never changes'); END;

CREATE TRIGGER receipt_tax_is_final BEFORE UPDATE OF tax_in_currency ON receipt
WHEN OLD.tax_in_currency IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a receipt never changes'); END;

CREATE TRIGGER receipt_stays BEFORE DELETE ON receipt
BEGIN SELECT RAISE(ABORT, 'a receipt is never deleted'); END;

CREATE TABLE link_embed_origin (
  link_id INTEGER NOT NULL REFERENCES link,
  origin TEXT NOT NULL,
  PRIMARY KEY (link_id, origin)
) STRICT, WITHOUT ROWID;

-- Everybody who was billed, by their mail address in small letters. The triggers keep it as the invoices say.
CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  -- As the newest invoice has them.
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  last_sequence INTEGER NOT NULL,
  invoices INTEGER NOT NULL,
  -- What is still to come of invoices that are open; and what came in, or was marked as paid in another way. Whoever
  -- bills can make these as large as they like. Beyond 64 bits an integer column would refuse them, and with them the
  -- payment that they go up by; so they are of any type, and go on as a rounded number.
  open_amount ANY NOT NULL,
  paid_amount ANY NOT NULL
) STRICT;
CREATE INDEX customer_by_last ON customer (last_sequence);
CREATE INDEX customer_owing ON customer (last_sequence) WHERE open_amount > 0;

CREATE TRIGGER customer_named AFTER INSERT ON customer
BEGIN
  INSERT INTO customer_unindexed (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER customer_renamed AFTER UPDATE OF name, email ON customer
WHEN NEW.name <> OLD.name OR NEW.email <> OLD.email
BEGIN
  INSERT INTO customer_unindexed (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

-- What is searched: for each table the words by which its rows are found.
CREATE VIEW invoice_words AS
  SELECT sequence AS id, concat_ws(' ', number, reference, vendor_name, vendor_email,
    printf('%d.%02d', billed / 1000000, billed / 10000 % 100)) AS words
  FROM (SELECT *, coalesce(CAST(currency ->> '$.total.micro' AS INTEGER), expected_amount) AS billed
    FROM invoice JOIN receivable USING (deposit_index));

CREATE VIEW customer_words AS SELECT id, concat_ws(' ', name, email) AS words FROM customer;

-- Payments of a reusable link are found there: they have no words.
CREATE VIEW link_words AS
  SELECT id, iif(reusable_id IS NULL, concat_ws(' ', product_description, reference), '') AS words
  FROM link JOIN receivable USING (deposit_index);

CREATE VIEW reusable_link_words AS
  SELECT id, concat_ws(' ', product_description, reference) AS words FROM reusable_link;

-- Searched as invoices are: by what its invoice is found by, too.
CREATE VIEW credit_note_words AS
  SELECT credit_note.sequence AS id, concat_ws(' ', credit_note.number, invoice.number, reference, vendor_name, vendor_email,
    printf('%d.%02d', micro / 1000000, micro / 10000 % 100)) AS words
  FROM (SELECT *, CAST(totals ->> '$.total.micro' AS INTEGER) AS micro FROM credit_note) AS credit_note
    JOIN invoice ON invoice.sequence = credit_note.invoice JOIN receivable USING (deposit_index);

-- The words of the rows up to the newest that is in it, as search.ts writes them. Beginnings of so many letters are
-- looked up at once, the mark of search.ts among them; of longer ones all the words that begin so are read.
CREATE VIRTUAL TABLE invoice_search USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8 9 10 11'
);

CREATE VIRTUAL TABLE customer_search USING fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2',
  prefix = '2 3 4 5 6 7 8 9 10 11'
);

CREATE VIRTUAL TABLE link_search USING fts5 (
  words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8 9 10 11'
);

CREATE VIRTUAL TABLE reusable_link_search USING fts5 (
  words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8 9 10 11'
);

CREATE VIRTUAL TABLE credit_note_search USING fts5 (
  words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8 9 10 11'
);

-- Customers whose words are not there yet, or were others, and invoices whose words were others. Those of all else never
-- change.
CREATE TABLE customer_unindexed (id INTEGER PRIMARY KEY
) STRICT;
CREATE TABLE invoice_unindexed (id INTEGER PRIMARY KEY
) STRICT;

-- What the chain says

-- Transfers of USDC to a deposit address.
CREATE TABLE transfer (
  block_hash TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  block_number INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
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
  -- When it was confirmed, or was before it came back in this block, where it does not count yet; otherwise null.
  confirmed_at INTEGER,
  -- When its block was made, as the chain says, and at the latest when it was seen.
  made_at INTEGER NOT NULL,
  PRIMARY KEY (block_hash, log_index)
) STRICT, WITHOUT ROWID;
-- With the transaction: anybody can send many small payments to one address.
CREATE INDEX transfer_by_deposit ON transfer (deposit_index, tx_hash);
CREATE INDEX transfer_by_block ON transfer (block_number);
CREATE INDEX transfer_unconfirmed ON transfer (block_number) WHERE confirmed = 0;
CREATE INDEX transfer_to_ask ON transfer (ask_at) WHERE ask_at IS NOT NULL;
-- In turn for each deposit, so that many small ones to one keep no other waiting.
CREATE INDEX transfer_to_ask_in_turn ON transfer (deposit_index, amount DESC, ask_at) WHERE ask_at IS NOT NULL;
-- The newest payments.
CREATE INDEX transfer_by_made ON transfer (made_at, amount);
-- As people paste it out of an explorer, or the beginning of it.
CREATE INDEX transfer_by_hash ON transfer (tx_hash);

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

CREATE TABLE lost_transfer (
  tx_hash TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  lost_at INTEGER NOT NULL,
  PRIMARY KEY (deposit_index, tx_hash)
) STRICT, WITHOUT ROWID;

-- The block up to which the books say what came, or say what is yet to be found (`reread`); one row at most.
CREATE TABLE checkpoint (
  block_number INTEGER PRIMARY KEY,
  block_hash TEXT NOT NULL,
  -- A block so far below that no reorganisation is to be expected to reach it.
  settled_number INTEGER NOT NULL,
  -- The pace of the chain then, in microseconds a block.
  block_us INTEGER NOT NULL CHECK (block_us > 0)
) STRICT;

-- Blocks to be read, or read again: the list that the watcher works off, for the deposits from `first_deposit` to
-- `last_deposit`. `late`: money came that no log told of. `rescan`: somebody asked. `to_block` null: up to the newest;
-- `next_block` null: not begun. A row is removed when it is done; those of a `request` stay, for the one who asked.
CREATE TABLE reread (
  id INTEGER PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('rescan', 'late')),
  from_block INTEGER NOT NULL CHECK (from_block >= 0),
  to_block INTEGER,
  next_block INTEGER,
  first_deposit INTEGER NOT NULL,
  last_deposit INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  transfers INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  request INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX reread_open ON reread (reason, id) WHERE finished_at IS NULL;
CREATE INDEX reread_by_request ON reread (request) WHERE request IS NOT NULL;

-- Up to which block all logs were read, once, some time after they were made; one row at most.
CREATE TABLE sweep (
  block_number INTEGER PRIMARY KEY
) STRICT;

-- Deposits that hold more (`amount` above 0) or less than the books say. `cause`: a settlement `left` the chain, what
-- came is `untold` by any log, what should be there is `missing`; null until that is found out. Outgoing transfers up to
-- `traced_to` are in the books.
CREATE TABLE unexplained (
  deposit_index INTEGER PRIMARY KEY REFERENCES receivable,
  amount INTEGER NOT NULL CHECK (amount <> 0),
  cause TEXT CHECK (cause IN ('left', 'untold', 'missing')),
  traced_to INTEGER NOT NULL,
  noticed_at INTEGER NOT NULL
) STRICT;

CREATE TABLE payment_value (
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  tx_hash TEXT NOT NULL,
  currency TEXT NOT NULL,
  rate TEXT NOT NULL,
  -- Who said so.
  source TEXT NOT NULL,
  -- When that was the rate.
  rate_at INTEGER NOT NULL,
  -- When the payment was made, as it was known then.
  paid_at INTEGER NOT NULL,
  PRIMARY KEY (deposit_index, tx_hash)
) STRICT, WITHOUT ROWID;

-- What 1 USDC was worth at what is no payment; of a fee, what 1 ETH was. `id` is the one of its kind, and of invoices and
-- receipts that of their deposit.
CREATE TABLE book_value (
  kind TEXT NOT NULL CHECK (kind IN ('withdrawal', 'refund', 'fee', 'invoice', 'receipt')),
  id INTEGER NOT NULL,
  currency TEXT NOT NULL,
  rate TEXT NOT NULL,
  source TEXT NOT NULL,
  rate_at INTEGER NOT NULL,
  -- When that was, as it was known then.
  made_at INTEGER NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

-- What is told

-- What happened to an invoice or a link, in the order in which it happened. `data` is JSON.
CREATE TABLE event (
  position INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  -- Of its invoice or link.
  merchant TEXT NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
-- Each with the position, as every index ends with it.
CREATE INDEX event_by_deposit ON event (deposit_index);
CREATE INDEX event_by_type ON event (type);
CREATE INDEX event_by_merchant ON event (merchant);

-- Where every event of the account is told. One that was deleted stays, as its webhooks refer to it.
CREATE TABLE webhook_endpoint (
  id TEXT PRIMARY KEY,
  -- `till`: signed events to a program; the others are chats.
  format TEXT NOT NULL DEFAULT 'till' CHECK (format IN ('till', 'ntfy', 'telegram', 'slack', 'discord')),
  -- Of a chat only what may be shown.
  url TEXT NOT NULL,
  -- JSON; null for every type.
  types TEXT,
  description TEXT,
  -- Only events of this merchant; null for all of them.
  merchant_email TEXT,
  -- Sealed; empty once it was deleted. Of a chat, its whole address.
  secret TEXT NOT NULL,
  -- JSON: those before it, sealed, each with the time until which it signs as well.
  old_secrets TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  paused_at INTEGER,
  -- What paused it: the merchant, five days of failures, or an answer of 410.
  pause_cause TEXT CHECK (pause_cause IN ('merchant', 'failing', 'gone')),
  -- Since the last delivery that succeeded: the first failure, the last one and its reason.
  failing_since INTEGER,
  failed_at INTEGER,
  failure TEXT,
  -- How long it has failed as far as the attempts show: a clock that jumps adds little.
  failing_ms INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER,
  -- Of a shop's plugin: it hears of this store alone, in the form of the Greenfield API; a JSON array of its types, or null
  -- for all.
  store_id TEXT REFERENCES store,
  store_types TEXT,
  CHECK (store_id IS NULL OR format = 'till'),
  CHECK ((paused_at IS NULL) = (pause_cause IS NULL)),
  CHECK ((failing_since IS NULL) = (failed_at IS NULL) AND (failing_since IS NULL) = (failure IS NULL))
) STRICT;
CREATE INDEX webhook_endpoint_living ON webhook_endpoint (created_at, id) WHERE deleted_at IS NULL;

-- One webhook: of the contract for each status of a deposit once, as their id says; of the standard form for an event, to
-- the receiver of the invoice or link under the id of the event, or to an endpoint.
CREATE TABLE webhook_event (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  endpoint_id TEXT REFERENCES webhook_endpoint,
  -- The event that an endpoint is told of.
  event_id TEXT REFERENCES event (id),
  status TEXT NOT NULL,
  -- For an endpoint: where the last attempt went.
  url TEXT NOT NULL,
  -- The origin of `url`, or the endpoint: one that answers slowly keeps no other waiting.
  receiver TEXT NOT NULL,
  -- Sealed for its deposit: the same text as at the invoice or link. An endpoint has its own.
  secret TEXT,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed', 'ended')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  -- Whether it decides nothing about the order of a shop: what does passes it when it fails.
  informs INTEGER NOT NULL DEFAULT 0 CHECK (informs IN (0, 1)),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL)),
  CHECK ((endpoint_id IS NULL) = (event_id IS NULL) AND (endpoint_id IS NULL) = (secret IS NOT NULL))
) STRICT;
CREATE INDEX webhook_event_by_deposit ON webhook_event (deposit_index);
CREATE INDEX webhook_event_by_endpoint ON webhook_event (endpoint_id) WHERE endpoint_id IS NOT NULL;
CREATE INDEX webhook_event_due ON webhook_event (next_attempt_at) WHERE state = 'pending';
-- What waits for one receiver, without reading what waits for the others.
CREATE INDEX webhook_event_waiting ON webhook_event (receiver, next_attempt_at) WHERE state = 'pending';
CREATE INDEX webhook_event_failing ON webhook_event (created_at)
  WHERE state = 'failed' OR (state = 'pending' AND attempts > 0);

CREATE TABLE delivery_attempt (
  event_id TEXT NOT NULL REFERENCES webhook_event,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  reason TEXT,
  PRIMARY KEY (event_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  -- notice and counter go to the merchant, the others to the one who pays.
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'reminder', 'void', 'receipt', 'notice', 'credit', 'refund', 'counter')),
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
  -- Whether the mail server as a whole failed at its last attempt, and not the mail: it goes out once that is back.
  awaits_server INTEGER NOT NULL DEFAULT 0 CHECK (awaits_server IN (0, 1)),
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE INDEX mail_by_deposit ON mail (deposit_index);
CREATE UNIQUE INDEX mail_once ON mail (deposit_index, kind, occasion) WHERE kind NOT IN ('invoice', 'credit');
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mail_open ON mail (state, created_at) WHERE state IN ('queued', 'sending', 'failed', 'unknown');
CREATE INDEX mail_awaiting ON mail (created_at) WHERE state = 'queued' AND awaits_server = 1;
CREATE INDEX mail_of_counter ON mail (occasion) WHERE kind = 'counter' AND state = 'queued';

-- What sales at the counter received, which one mail a day tells: before the mail of that occasion began, and since.
CREATE TABLE counter_sale (
  merchant TEXT NOT NULL,
  occasion TEXT NOT NULL,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  was INTEGER NOT NULL CHECK (was >= 0),
  received INTEGER NOT NULL CHECK (received >= 0),
  PRIMARY KEY (merchant, occasion, deposit_index)
) STRICT, WITHOUT ROWID;

-- The day up to which reminders were looked for, in the merchant's time zone: one row, or none.
CREATE TABLE reminders_seen (id INTEGER PRIMARY KEY CHECK (id = 1),
  day TEXT NOT NULL
) STRICT;

-- The gas account and the payout wallets

CREATE TABLE gas_transaction (
  id INTEGER PRIMARY KEY,
  purpose TEXT NOT NULL CHECK (purpose IN ('deploy', 'settle', 'withdraw', 'rescue', 'relay')),
  chain_id INTEGER NOT NULL,
  nonce INTEGER NOT NULL CHECK (nonce >= 0),
  to_address TEXT NOT NULL,
  data TEXT NOT NULL,
  gas_limit INTEGER NOT NULL CHECK (gas_limit > 0),
  -- The most that it offers for each unit of gas, in wei; null: as much as any transaction.
  fee_max INTEGER CHECK (fee_max > 0),
  reason TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'reverted')),
  tx_hash TEXT,
  block_number INTEGER,
  mined_at INTEGER,
  fee_wei TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (chain_id, nonce),
  CHECK ((state = 'pending') = (tx_hash IS NULL)),
  CHECK ((tx_hash IS NULL) = (block_number IS NULL))
) STRICT;
CREATE INDEX gas_transaction_pending ON gas_transaction (chain_id, nonce) WHERE state = 'pending';
CREATE INDEX gas_transaction_settled ON gas_transaction (created_at) WHERE purpose = 'settle';
-- What relays have cost in a day.
CREATE INDEX gas_transaction_relayed ON gas_transaction (chain_id, created_at) WHERE purpose = 'relay';

CREATE TABLE gas_attempt (
  hash TEXT PRIMARY KEY,
  transaction_id INTEGER NOT NULL REFERENCES gas_transaction,
  nonce INTEGER NOT NULL,
  raw TEXT NOT NULL,
  fee_max INTEGER NOT NULL CHECK (fee_max > 0),
  fee_tip INTEGER NOT NULL CHECK (fee_tip >= 0),
  signed_at INTEGER NOT NULL,
  sent_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX gas_attempt_by_transaction ON gas_attempt (transaction_id, signed_at);

CREATE TABLE settlement (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  transaction_id INTEGER REFERENCES gas_transaction,
  state TEXT NOT NULL CHECK (state IN ('pending', 'settled', 'empty', 'failed', 'elsewhere')),
  amount INTEGER NOT NULL DEFAULT 0 CHECK (amount >= 0),
  retry_at INTEGER,
  -- The transaction that moved the money. When its block is replaced, the settlement has left the chain.
  tx_hash TEXT,
  block_number INTEGER,
  block_hash TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (deposit_index, transaction_id),
  CHECK ((state = 'elsewhere') = (transaction_id IS NULL)),
  CHECK ((state = 'failed') = (retry_at IS NOT NULL)),
  CHECK ((state IN ('settled', 'elsewhere')) = (amount > 0)),
  CHECK ((amount > 0) = (tx_hash IS NOT NULL AND block_number IS NOT NULL AND block_hash IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX settlement_pending ON settlement (deposit_index) WHERE state = 'pending';
CREATE UNIQUE INDEX settlement_by_hash ON settlement (deposit_index, tx_hash) WHERE tx_hash IS NOT NULL;
CREATE INDEX settlement_by_transaction ON settlement (transaction_id);
-- Failures are few, and every call of /health/ready asks for them.
CREATE INDEX settlement_failed ON settlement (deposit_index) WHERE state = 'failed';
-- For lists of one state, newest first. Most are settled.
CREATE INDEX settlement_unusual ON settlement (state, id) WHERE state <> 'settled';
CREATE INDEX settlement_elsewhere ON settlement (created_at) WHERE state = 'elsewhere';

CREATE TABLE withdrawal (
  id INTEGER PRIMARY KEY,
  chain_id INTEGER NOT NULL,
  token TEXT NOT NULL,
  account_index INTEGER NOT NULL CHECK (account_index > 0),
  from_address TEXT NOT NULL,
  to_address TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  nonce TEXT NOT NULL UNIQUE,
  valid_before_sec INTEGER NOT NULL,
  begun_block INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'done', 'failed')),
  transaction_id INTEGER REFERENCES gas_transaction,
  -- How it ended, as the token's events say it: not as Till's own transaction did.
  tx_hash TEXT,
  failure TEXT CHECK (failure IN ('expired', 'cancelled', 'replaced')),
  created_at INTEGER NOT NULL,
  -- The form of the desk that began it: sent again, it begins nothing more. Null for one of the command line.
  form_key TEXT
) STRICT;
CREATE UNIQUE INDEX withdrawal_pending ON withdrawal (chain_id, from_address) WHERE state = 'pending';
CREATE INDEX withdrawal_by_wallet ON withdrawal (chain_id, from_address, id);
CREATE UNIQUE INDEX withdrawal_by_form ON withdrawal (form_key) WHERE form_key IS NOT NULL;
-- What the desk lists together, newest first.
CREATE INDEX withdrawal_by_age ON withdrawal (created_at);
CREATE INDEX withdrawal_by_receiver ON withdrawal (to_address, created_at);

CREATE TRIGGER withdrawal_done AFTER UPDATE OF state ON withdrawal WHEN NEW.state = 'done' AND OLD.state <> 'done'
BEGIN
  UPDATE payout SET withdrawn_amount = withdrawn_amount + NEW.amount, withdrawals = withdrawals + 1
  WHERE wallet IN ('', NEW.from_address);
END;

CREATE TRIGGER withdrawal_undone AFTER UPDATE OF state ON withdrawal WHEN OLD.state = 'done' AND NEW.state <> 'done'
BEGIN
  UPDATE payout SET withdrawn_amount = withdrawn_amount - OLD.amount, withdrawals = withdrawals - 1
  WHERE wallet IN ('', OLD.from_address);
END;

-- USDC that a payer says they burnt on another chain for a deposit address here, by Circle's CCTP.
CREATE TABLE crossing (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  chain_id INTEGER NOT NULL,
  tx_hash TEXT NOT NULL,
  -- told: nobody else says so. attested: Circle signed it. arrived: it was minted, an ordinary transfer.
  state TEXT NOT NULL CHECK (state IN ('told', 'attested', 'arrived', 'unknown')),
  -- What arrives, and with what anybody can have it minted.
  amount INTEGER CHECK (amount > 0),
  message TEXT,
  attestation TEXT,
  created_at INTEGER NOT NULL,
  attested_at INTEGER,
  ended_at INTEGER,
  next_at INTEGER NOT NULL,
  UNIQUE (deposit_index, chain_id, tx_hash),
  CHECK ((amount IS NULL) = (message IS NULL)),
  CHECK ((amount IS NULL) = (attestation IS NULL)),
  CHECK ((amount IS NULL) = (attested_at IS NULL)),
  CHECK (state <> 'attested' OR amount IS NOT NULL),
  CHECK ((state IN ('arrived', 'unknown')) = (ended_at IS NOT NULL))
) STRICT;
CREATE INDEX crossing_on_its_way ON crossing (next_at) WHERE state IN ('told', 'attested');

-- An authorisation (EIP-3009) that a payer signed, to a deposit address. Written before anything is sent, together
-- with the transaction that carries it out.
CREATE TABLE relay (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  source TEXT NOT NULL CHECK (source IN ('page', 'x402', 'mpp', 'command')),
  chain_id INTEGER NOT NULL,
  token TEXT NOT NULL,
  payer TEXT NOT NULL,
  to_address TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  valid_after_sec INTEGER NOT NULL,
  valid_before_sec INTEGER NOT NULL,
  nonce TEXT NOT NULL,
  signature TEXT NOT NULL,
  -- What a program called its payment (the payment-identifier extension of x402).
  payment_identifier TEXT,
  -- The chain's newest block when it was accepted.
  begun_block INTEGER NOT NULL,
  transaction_id INTEGER NOT NULL REFERENCES gas_transaction,
  -- mined: in a block, with the transfer that was signed. confirmed: the books count it.
  state TEXT NOT NULL CHECK (state IN ('accepted', 'sent', 'mined', 'confirmed', 'failed')),
  failure TEXT CHECK (failure IN ('expired', 'reverted', 'cancelled', 'replaced')),
  -- What moved the money, Till's transaction or anybody's.
  tx_hash TEXT,
  block_number INTEGER,
  block_hash TEXT,
  created_at INTEGER NOT NULL,
  mined_at INTEGER,
  ended_at INTEGER,
  CHECK ((state = 'failed') = (failure IS NOT NULL)),
  CHECK ((state IN ('mined', 'confirmed')) = (block_number IS NOT NULL)),
  CHECK ((block_number IS NULL) = (block_hash IS NULL)),
  CHECK ((block_number IS NULL) = (mined_at IS NULL)),
  CHECK ((state IN ('confirmed', 'failed')) = (ended_at IS NOT NULL))
) STRICT;
-- One that failed may be signed again with the same nonce, of which the token takes one.
CREATE UNIQUE INDEX relay_by_nonce ON relay (chain_id, token, payer, nonce) WHERE state <> 'failed';
CREATE UNIQUE INDEX relay_unresolved ON relay (deposit_index) WHERE state IN ('accepted', 'sent', 'mined');
CREATE INDEX relay_by_deposit ON relay (deposit_index, id);
CREATE INDEX relay_by_time ON relay (chain_id, created_at);
CREATE INDEX relay_by_transaction ON relay (transaction_id);
CREATE INDEX relay_on_the_way ON relay (payer, amount) WHERE state IN ('accepted', 'sent');
CREATE INDEX relay_failed ON relay (payer, ended_at) WHERE state = 'failed';
CREATE UNIQUE INDEX relay_by_identifier ON relay (deposit_index, payment_identifier)
  WHERE payment_identifier IS NOT NULL AND state <> 'failed';

-- Where the desk may send what is in Till's wallet: chosen on the command line, which a stolen session does not reach.
CREATE TABLE allowed_address (
  address TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

-- Where else the desk may send it, and how much may leave Till's wallets in a day: asked for by owners at the desk.
CREATE TABLE wallet_change (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('address', 'limit')),
  address TEXT,
  -- What people call the address.
  name TEXT,
  -- The limit; null: none.
  amount INTEGER CHECK (amount > 0),
  created_at INTEGER NOT NULL,
  -- Who asked for it, as they were called then.
  created_by TEXT NOT NULL,
  -- From when on it holds; 0 for what holds at once. Held against the clock and against the chain's time.
  ready_at INTEGER NOT NULL,
  stopped_at INTEGER,
  stopped_by TEXT,
  -- The secret of the link that stops it, sealed, and its SHA-256.
  token TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  CHECK ((kind = 'address') = (address IS NOT NULL AND name IS NOT NULL)),
  CHECK ((stopped_at IS NULL) = (stopped_by IS NULL))
) STRICT;
CREATE INDEX wallet_change_by_address ON wallet_change (address) WHERE stopped_at IS NULL;

-- A change of who hears of money that leaves, or of where new money goes. For three days what waits, waits longer, and
-- who heard before still does.
CREATE TABLE told_change (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('mail', 'shop', 'owner', 'endpoint', 'key', 'wallet')),
  -- What it is about, as people call it.
  subject TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- Who did it, as they were called then.
  created_by TEXT NOT NULL,
  -- The mail address that was told before; null where none was.
  email TEXT,
  -- The mail server before, sealed as the setting, and its sender.
  smtp_url TEXT,
  mail_from TEXT,
  CHECK ((smtp_url IS NULL) = (mail_from IS NULL))
) STRICT;
CREATE INDEX told_change_by_age ON told_change (created_at);

-- What tells an owner of such a change, of one that waits, or of a refund that waits: one for each mail address.
CREATE TABLE owner_mail (
  id TEXT PRIMARY KEY,
  -- The id of the change, or of the refund.
  about_id TEXT NOT NULL,
  to_address TEXT NOT NULL,
  -- The change whose mail server before sends it; null for the one there is.
  server_before TEXT REFERENCES told_change,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Null once it is over.
  next_attempt_at INTEGER,
  -- Why the last attempt failed; null when none did.
  reason TEXT
) STRICT;
CREATE INDEX owner_mail_due ON owner_mail (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX owner_mail_by_subject ON owner_mail (about_id);

-- Deposit addresses with money that is still there, and that no invoice or link here has.
CREATE TABLE recovered (
  address TEXT PRIMARY KEY,
  payout_wallet TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0)
) STRICT;

-- USDC that came to a deposit address on another chain, where it does not count as paid. Once it was moved from there to
-- the payout wallet, the row stays: the money came.
CREATE TABLE elsewhere (
  id INTEGER PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES receivable,
  chain_id INTEGER NOT NULL,
  amount INTEGER NOT NULL CHECK (amount > 0),
  found_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- When an owner asked for it to be moved; null once Till has tried and it is still there.
  wanted_at INTEGER,
  transaction_id INTEGER REFERENCES gas_transaction,
  moved_at INTEGER,
  tx_hash TEXT,
  CHECK ((moved_at IS NULL) = (tx_hash IS NULL))
) STRICT;
CREATE UNIQUE INDEX elsewhere_there ON elsewhere (deposit_index, chain_id) WHERE moved_at IS NULL;
CREATE INDEX elsewhere_by_deposit ON elsewhere (deposit_index, id);
CREATE INDEX elsewhere_wanted ON elsewhere (id)
  WHERE moved_at IS NULL AND (wanted_at IS NOT NULL OR transaction_id IS NOT NULL);

-- Deposit addresses that got money and that this data does not know, as after a snapshot of the machine was put back.
CREATE TABLE unknown_deposit (
  address TEXT PRIMARY KEY,
  -- The last invoice then: the numbers after it may be on bills too.
  last_sequence INTEGER NOT NULL,
  found_at INTEGER NOT NULL
) STRICT;

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

-- The desk

CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'accountant')),
  -- Of the desk; null: as the browser says.
  language TEXT,
  -- Where Till writes to an owner of what may move money.
  email TEXT,
  -- Argon2id; null for who signs in with a passkey alone.
  password_hash TEXT,
  -- What WebAuthn calls the user handle: random, so that a passkey says nothing of the person.
  handle TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  removed_at INTEGER,
  -- Whether a restored backup brought them back: removed in the database that it replaced, or nobody knows. Null where
  -- it did not, and once an owner said that it is fine.
  brought_back TEXT CHECK (brought_back IN ('removed', 'unknown'))
) STRICT;
-- Who has a password signs in with the name.
CREATE UNIQUE INDEX person_by_name ON person (name COLLATE NOCASE) WHERE removed_at IS NULL;

CREATE TABLE passkey (
  -- Never used again: `session.passkey_id` outlives it.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
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

-- An account elsewhere by which somebody signs in. That of who was removed stays, so that it lets nobody in again.
CREATE TABLE account (
  issuer TEXT NOT NULL,
  -- What the issuer calls the account: never the name or the mail address, which others may get there.
  subject TEXT NOT NULL,
  person_id INTEGER NOT NULL UNIQUE REFERENCES person,
  PRIMARY KEY (issuer, subject)
) STRICT;

-- Only the SHA-256 of a session's token is kept, as of an API key.
CREATE TABLE session (
  -- Never used again: `audit.session_id` outlives it.
  session_id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES person,
  token_hash TEXT NOT NULL UNIQUE,
  -- The browser, as people call it: "Firefox on Android".
  device TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  -- What began it, which may be removed since; null for a password, and for an account elsewhere.
  passkey_id INTEGER
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
  -- The owner who made it at the desk, without whom it lets nobody in; null for a link of the server's command line.
  made_by INTEGER REFERENCES person,
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
  outcome TEXT CHECK (outcome IN ('done', 'failed')),
  -- JSON: the settings that changed, each with what it was and what it is, without secrets and images.
  changes TEXT,
  -- In which session, which may have ended since; null without one.
  session_id INTEGER
) STRICT;
CREATE INDEX audit_by_session ON audit (session_id) WHERE session_id IS NOT NULL;

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

-- What people set at the desk where no variable of the environment does, by its name without TILL_. Secrets are sealed.
CREATE TABLE setting (
  name TEXT PRIMARY KEY,
  -- Null once it was taken back: that is a change, too.
  value TEXT,
  changed_at INTEGER NOT NULL,
  -- Who did, as they were called then.
  changed_by TEXT NOT NULL
) STRICT;

-- What was received, by the quarter of an hour in which it was paid (Unix milliseconds / 900,000): every day of
-- every time zone is a whole number of them. Kept beside the transfers, so that no page adds them up.
CREATE TABLE received (
  quarter INTEGER PRIMARY KEY,
  amount INTEGER NOT NULL
) STRICT;

-- What invoices are open, by the day on which they are due and that of their issue: their number, and what is still to
-- come, of any type as in `customer`. Triggers keep it.
CREATE TABLE owed (
  due_date TEXT NOT NULL,
  issue_date TEXT NOT NULL,
  invoices INTEGER NOT NULL,
  amount ANY NOT NULL,
  PRIMARY KEY (due_date, issue_date)
) STRICT, WITHOUT ROWID;

INSERT INTO next_numbers (id, deposit_index, account_index, sequence, credit_note, receipt) VALUES (1, 0, 1, 1, 1, 1);
INSERT INTO payout (wallet) VALUES ('');
