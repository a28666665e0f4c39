-- Version 7: what the operator is told.

-- Whether the wallet is in the newest backup. Of those made before this column nobody knows better.
ALTER TABLE backup_made ADD COLUMN has_wallet INTEGER NOT NULL DEFAULT 1 CHECK (has_wallet IN (0, 1));

-- Whether the mail server as a whole failed at its last attempt, and not the mail: it goes out once that is back.
ALTER TABLE mail ADD COLUMN awaits_server INTEGER NOT NULL DEFAULT 0 CHECK (awaits_server IN (0, 1));
CREATE INDEX mail_awaiting ON mail (created_at) WHERE state = 'queued' AND awaits_server = 1;
