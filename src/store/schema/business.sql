-- Version 6: what an invoice to a business says besides, and invoices in another currency than USDC. JSON where nothing
-- is ever asked of its parts; an amount in it is {"micro":"1500000"}. Null where an invoice says nothing of it.

ALTER TABLE invoice ADD COLUMN merchant_details TEXT;
ALTER TABLE invoice ADD COLUMN vendor_details TEXT;
ALTER TABLE invoice ADD COLUMN payment_terms TEXT;
ALTER TABLE invoice ADD COLUMN delivery TEXT;
ALTER TABLE invoice ADD COLUMN buyer_reference TEXT;
ALTER TABLE invoice ADD COLUMN purchase_order TEXT;
-- The code, the total in it, and the rate that was fixed. Line items and totals are in it; total_amount is USDC.
ALTER TABLE invoice ADD COLUMN currency TEXT;
-- The desk begins an invoice with the taxes of its merchant's newest one.
CREATE INDEX invoice_by_merchant ON invoice (lower(merchant_email));

-- People search for what is billed; what that is in USDC may change.
DROP VIEW invoice_words;
CREATE VIEW invoice_words AS
  SELECT sequence AS id, concat_ws(' ', number, reference, vendor_name, vendor_email,
    printf('%d.%02d', billed / 1000000, billed / 10000 % 100)) AS words
  FROM (SELECT *, coalesce(CAST(currency ->> '$.total.micro' AS INTEGER), total_amount) AS billed FROM invoice);

-- The parts that are searched are smaller than they were, see search.ts, which writes all words anew.
INSERT INTO invoice_search (invoice_search) VALUES ('delete-all');
INSERT INTO customer_search (customer_search) VALUES ('delete-all');
INSERT INTO link_search (link_search) VALUES ('delete-all');
INSERT INTO reusable_link_search (reusable_link_search) VALUES ('delete-all');
INSERT INTO customer_unindexed (id) SELECT id FROM customer WHERE true ON CONFLICT DO NOTHING;
