CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  request_hash TEXT NOT NULL,
  resource TEXT NOT NULL,
  answer_status INTEGER,
  answer_body TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);
