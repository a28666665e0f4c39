-- Who sent a payment; NULL for one that an earlier Till recorded.
ALTER TABLE transfer ADD COLUMN payer TEXT;

-- When the gas account's transaction was mined (Unix milliseconds), and its fee in wei as decimal text: more ETH than
-- fits 64 bits is possible. NULL while it is pending, or when the node did not say.
ALTER TABLE gas_transaction ADD COLUMN mined_at INTEGER;
ALTER TABLE gas_transaction ADD COLUMN fee_wei TEXT;
