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

-- People search for what is billed; what that is in USDC may change.
DROP VIEW invoice_words;
CREATE VIEW invoice_words AS
  SELECT sequence AS id, concat_ws(' ', number, reference, vendor_name, vendor_email,
    printf('%d.%02d', billed / 1000000, billed / 10000 % 100)) AS words
  FROM (SELECT *, coalesce(CAST(currency ->> '$.total.micro' AS INTEGER), total_amount) AS billed FROM invoice);
