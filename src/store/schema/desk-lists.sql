-- Version 3, beside desk.sql: what the desk lists and searches.

-- What an invoice is searched by: words of its number, its reference, its customer and its amount, found by how they
-- begin. None of them ever changes. The lengths are those of beginnings that are looked up at once; of longer ones all
-- the words that begin so are read.
CREATE VIRTUAL TABLE invoice_search USING fts5 (
  words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4 5 6 7 8 9 10'
);
INSERT INTO invoice_search (rowid, words)
  SELECT sequence, number || ' ' || coalesce(reference, '') || ' ' || vendor_name || ' ' || vendor_email || ' '
    || printf('%d.%02d', total_amount / 1000000, total_amount / 10000 % 100)
  FROM invoice ORDER BY sequence;
CREATE TRIGGER invoice_searched AFTER INSERT ON invoice
BEGIN
  INSERT INTO invoice_search (rowid, words)
    VALUES (NEW.sequence, NEW.number || ' ' || coalesce(NEW.reference, '') || ' ' || NEW.vendor_name || ' '
      || NEW.vendor_email || ' ' || printf('%d.%02d', NEW.total_amount / 1000000, NEW.total_amount / 10000 % 100));
END;
-- As people paste it out of an explorer, or the beginning of it.
CREATE INDEX transfer_by_hash ON transfer (tx_hash);
-- Lists of invoices between two days, of those that are late, and of one customer.
CREATE INDEX invoice_by_day ON invoice (issue_date);
CREATE INDEX invoice_by_status_and_day ON invoice (status, issue_date);
CREATE INDEX invoice_open_by_due_date ON invoice (due_date) WHERE status IN ('draft', 'sent', 'partial');
CREATE INDEX invoice_by_customer ON invoice (lower(vendor_email));

-- Everybody who was billed, by their mail address in small letters. The triggers keep it as the invoices say.
CREATE TABLE customer (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  -- As the newest invoice has them.
  email TEXT NOT NULL,
  name TEXT NOT NULL,
  last_sequence INTEGER NOT NULL,
  invoices INTEGER NOT NULL,
  -- What is still to come of invoices that are open; and what came in, or was marked as paid in another way.
  open_amount INTEGER NOT NULL,
  paid_amount INTEGER NOT NULL
) STRICT;
INSERT INTO customer (key, email, name, last_sequence, invoices, open_amount, paid_amount)
  -- Beside max() SQLite takes the other columns from the row that has it.
  SELECT lower(vendor_email), vendor_email, vendor_name, max(sequence), count(*),
    sum(CASE WHEN status IN ('draft', 'sent', 'partial') THEN max(0, total_amount - received_amount) ELSE 0 END),
    sum(CASE WHEN marked_paid_at IS NULL THEN received_amount ELSE max(total_amount, received_amount) END)
  FROM invoice JOIN deposit USING (deposit_index) GROUP BY lower(vendor_email) ORDER BY min(sequence);
CREATE INDEX customer_by_last ON customer (last_sequence);
CREATE INDEX customer_owing ON customer (last_sequence) WHERE open_amount > 0;

CREATE VIRTUAL TABLE customer_search USING fts5 (
  name, email, content = 'customer', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2',
  prefix = '1 2 3 4 5 6 7 8 9 10'
);
INSERT INTO customer_search (rowid, name, email) SELECT id, name, email FROM customer ORDER BY id;
CREATE TRIGGER customer_searched AFTER INSERT ON customer
BEGIN INSERT INTO customer_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email); END;
CREATE TRIGGER customer_renamed AFTER UPDATE OF name, email ON customer
WHEN NEW.name <> OLD.name OR NEW.email <> OLD.email
BEGIN
  INSERT INTO customer_search (customer_search, rowid, name, email) VALUES ('delete', OLD.id, OLD.name, OLD.email);
  INSERT INTO customer_search (rowid, name, email) VALUES (NEW.id, NEW.name, NEW.email);
END;

CREATE TRIGGER customer_billed AFTER INSERT ON invoice
BEGIN
  INSERT INTO customer (key, email, name, last_sequence, invoices, open_amount, paid_amount)
    SELECT lower(NEW.vendor_email), NEW.vendor_email, NEW.vendor_name, NEW.sequence, 1,
      CASE WHEN NEW.status IN ('draft', 'sent', 'partial') THEN max(0, NEW.total_amount - received_amount) ELSE 0 END,
      CASE WHEN NEW.marked_paid_at IS NULL THEN received_amount ELSE max(NEW.total_amount, received_amount) END
    FROM deposit WHERE deposit_index = NEW.deposit_index
    ON CONFLICT (key) DO UPDATE SET email = excluded.email, name = excluded.name,
      last_sequence = excluded.last_sequence, invoices = invoices + 1,
      open_amount = open_amount + excluded.open_amount, paid_amount = paid_amount + excluded.paid_amount;
END;
CREATE TRIGGER customer_settled AFTER UPDATE OF status, marked_paid_at ON invoice
WHEN NEW.status <> OLD.status OR NEW.marked_paid_at IS NOT OLD.marked_paid_at
BEGIN
  UPDATE customer SET
    open_amount = open_amount + max(0, NEW.total_amount - received_amount)
      * ((NEW.status IN ('draft', 'sent', 'partial')) - (OLD.status IN ('draft', 'sent', 'partial'))),
    paid_amount = paid_amount + max(0, NEW.total_amount - received_amount)
      * ((NEW.marked_paid_at IS NOT NULL) - (OLD.marked_paid_at IS NOT NULL))
  FROM deposit WHERE deposit_index = NEW.deposit_index AND key = lower(NEW.vendor_email);
END;
CREATE TRIGGER customer_paid AFTER UPDATE OF received_amount ON deposit
WHEN NEW.received_amount <> OLD.received_amount
BEGIN
  UPDATE customer SET
    open_amount = open_amount + CASE WHEN status IN ('draft', 'sent', 'partial')
      THEN max(0, total_amount - NEW.received_amount) - max(0, total_amount - OLD.received_amount) ELSE 0 END,
    paid_amount = paid_amount + CASE WHEN marked_paid_at IS NULL THEN NEW.received_amount - OLD.received_amount
      ELSE max(total_amount, NEW.received_amount) - max(total_amount, OLD.received_amount) END
  FROM invoice WHERE deposit_index = NEW.deposit_index AND key = lower(vendor_email);
END;
