-- Version 3, beside desk.sql: what the desk lists and searches.

-- As people paste it out of an explorer, or the beginning of it.
CREATE INDEX transfer_by_hash ON transfer (tx_hash);
-- Lists of invoices between two days, of those that are late, and of one customer.
CREATE INDEX invoice_by_status_and_day ON invoice (status, issue_date);
CREATE INDEX invoice_open_by_days ON invoice (due_date, issue_date) WHERE status IN ('draft', 'sent', 'partial');
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

-- What is searched: for each table the words by which its rows are found.
CREATE VIEW invoice_words AS
  SELECT sequence AS id, concat_ws(' ', number, reference, vendor_name, vendor_email,
    printf('%d.%02d', total_amount / 1000000, total_amount / 10000 % 100)) AS words
  FROM invoice;
CREATE VIEW customer_words AS SELECT id, concat_ws(' ', name, email) AS words FROM customer;
-- Payments of a reusable link are found there: they have no words.
CREATE VIEW link_words AS
  SELECT id, iif(reusable_id IS NULL, concat_ws(' ', product_description, reference), '') AS words FROM link;
CREATE VIEW reusable_link_words AS
  SELECT id, concat_ws(' ', product_description, reference) AS words FROM reusable_link;

-- The words of the rows up to the newest that is in it, as search.ts writes them. Beginnings of so many letters are
-- looked up at once, the mark of search.ts among them; of longer ones all the words that begin so are read.
CREATE VIRTUAL TABLE invoice_search USING fts5 (
  words, content = '', tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3 4 5 6 7 8 9 10 11'
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
-- Customers whose words are not there yet, or were others. Those of all else never change.
CREATE TABLE customer_unindexed (id INTEGER PRIMARY KEY) STRICT;
INSERT INTO customer_unindexed (id) SELECT id FROM customer;
CREATE TRIGGER customer_named AFTER INSERT ON customer
BEGIN
  INSERT INTO customer_unindexed (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER customer_renamed AFTER UPDATE OF name, email ON customer
WHEN NEW.name <> OLD.name OR NEW.email <> OLD.email
BEGIN
  INSERT INTO customer_unindexed (id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
END;

-- What is open by its two days, and the customers, as invoices and their deposits change.
CREATE TRIGGER invoice_made AFTER INSERT ON invoice
BEGIN
  INSERT INTO owed (due_date, issue_date, invoices, amount)
    SELECT NEW.due_date, NEW.issue_date, 1, max(0, NEW.total_amount - received_amount)
    FROM deposit WHERE deposit_index = NEW.deposit_index AND NEW.status IN ('draft', 'sent', 'partial')
    ON CONFLICT DO UPDATE SET invoices = invoices + 1, amount = amount + excluded.amount;
  INSERT INTO customer (key, email, name, last_sequence, invoices, open_amount, paid_amount)
    SELECT lower(NEW.vendor_email), NEW.vendor_email, NEW.vendor_name, NEW.sequence, 1,
      CASE WHEN NEW.status IN ('draft', 'sent', 'partial') THEN max(0, NEW.total_amount - received_amount) ELSE 0 END,
      CASE WHEN NEW.marked_paid_at IS NULL THEN received_amount ELSE max(NEW.total_amount, received_amount) END
    FROM deposit WHERE deposit_index = NEW.deposit_index
    ON CONFLICT (key) DO UPDATE SET email = excluded.email, name = excluded.name,
      last_sequence = excluded.last_sequence, invoices = invoices + 1,
      open_amount = open_amount + excluded.open_amount, paid_amount = paid_amount + excluded.paid_amount;
END;
CREATE TRIGGER invoice_changed AFTER UPDATE OF status, marked_paid_at ON invoice
WHEN NEW.status <> OLD.status OR NEW.marked_paid_at IS NOT OLD.marked_paid_at
BEGIN
  INSERT INTO owed (due_date, issue_date, invoices, amount)
    SELECT NEW.due_date, NEW.issue_date, opened, opened * max(0, NEW.total_amount - received_amount)
    FROM deposit, (SELECT
      (NEW.status IN ('draft', 'sent', 'partial')) - (OLD.status IN ('draft', 'sent', 'partial')) AS opened)
    WHERE deposit_index = NEW.deposit_index AND opened <> 0
    ON CONFLICT DO UPDATE SET invoices = invoices + excluded.invoices, amount = amount + excluded.amount;
  DELETE FROM owed WHERE due_date = NEW.due_date AND issue_date = NEW.issue_date AND invoices = 0;
  UPDATE customer SET
    open_amount = open_amount + max(0, NEW.total_amount - received_amount)
      * ((NEW.status IN ('draft', 'sent', 'partial')) - (OLD.status IN ('draft', 'sent', 'partial'))),
    paid_amount = paid_amount + max(0, NEW.total_amount - received_amount)
      * ((NEW.marked_paid_at IS NOT NULL) - (OLD.marked_paid_at IS NOT NULL))
  FROM deposit WHERE deposit_index = NEW.deposit_index AND key = lower(NEW.vendor_email);
END;
CREATE TRIGGER invoice_received AFTER UPDATE OF received_amount ON deposit
WHEN NEW.received_amount <> OLD.received_amount
BEGIN
  UPDATE owed SET amount = amount + max(0, total_amount - NEW.received_amount) - max(0, total_amount - OLD.received_amount)
  FROM invoice WHERE deposit_index = NEW.deposit_index AND status IN ('draft', 'sent', 'partial')
    AND owed.due_date = invoice.due_date AND owed.issue_date = invoice.issue_date;
  UPDATE customer SET
    open_amount = open_amount + CASE WHEN status IN ('draft', 'sent', 'partial')
      THEN max(0, total_amount - NEW.received_amount) - max(0, total_amount - OLD.received_amount) ELSE 0 END,
    paid_amount = paid_amount + CASE WHEN marked_paid_at IS NULL THEN NEW.received_amount - OLD.received_amount
      ELSE max(total_amount, NEW.received_amount) - max(total_amount, OLD.received_amount) END
  FROM invoice WHERE deposit_index = NEW.deposit_index AND key = lower(vendor_email);
END;
