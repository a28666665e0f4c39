-- When the content began to be handed over. From then on only the mail server knows whether the mail was delivered.
ALTER TABLE mail ADD COLUMN content_at INTEGER;
-- Whether the mail server refused this mail for good.
ALTER TABLE mail ADD COLUMN refused INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1));
-- What was being sent when an earlier Till ended may have been handed over.
UPDATE mail SET content_at = created_at WHERE state = 'sending';
CREATE INDEX mail_open ON mail (state, created_at) WHERE state IN ('queued', 'sending', 'failed', 'unknown');
