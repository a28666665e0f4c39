-- Version 5: discounts and tax. JSON where nothing is ever asked of its parts; an amount in it is
-- {"micro":"1500000"}. Null where an invoice says nothing of it.

ALTER TABLE line_item ADD COLUMN unit TEXT;
ALTER TABLE line_item ADD COLUMN discount TEXT;
ALTER TABLE line_item ADD COLUMN tax TEXT;
ALTER TABLE invoice ADD COLUMN discount TEXT;
ALTER TABLE invoice ADD COLUMN prices_include_tax INTEGER NOT NULL DEFAULT 0 CHECK (prices_include_tax IN (0, 1));
-- How the total comes about, as it was issued: it never changes, whatever a later Till computes.
ALTER TABLE invoice ADD COLUMN totals TEXT;
