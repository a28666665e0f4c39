-- Version 7: what keeps the sums of the desk at every payment, made anew. Each change finds its one row by a key: for
-- UPDATE … FROM, INSERT … SELECT and a list after IN SQLite builds a table each time, which takes longer than the change.

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
