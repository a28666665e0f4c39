-- How a withdrawal ended, as the token's events say it: not as Till's own transaction did.
ALTER TABLE withdrawal ADD COLUMN begun_block INTEGER NOT NULL DEFAULT 0;
ALTER TABLE withdrawal ADD COLUMN tx_hash TEXT;
ALTER TABLE withdrawal ADD COLUMN failure TEXT CHECK (failure IN ('expired', 'cancelled', 'replaced'));
