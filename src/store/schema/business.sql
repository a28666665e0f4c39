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
