-- 1 once every webhook secret and remembered answer is encrypted and no page of the file holds a plain one.
ALTER TABLE wallet ADD COLUMN secrets_sealed INTEGER NOT NULL DEFAULT 0 CHECK (secrets_sealed IN (0, 1));

-- Written to find out whether there is room again after a write failed; empty otherwise.
CREATE TABLE probe (content BLOB NOT NULL) STRICT;
