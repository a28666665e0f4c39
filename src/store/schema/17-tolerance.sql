-- How much less than what is due still counts as paid: what TILL_TOLERANCE allowed when the deposit was made.
ALTER TABLE deposit ADD COLUMN tolerance_amount INTEGER NOT NULL DEFAULT 0
  CHECK (tolerance_amount >= 0 AND tolerance_amount < expected_amount);
