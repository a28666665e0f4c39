CREATE TABLE webhook_event (
  id TEXT PRIMARY KEY,
  deposit_index INTEGER NOT NULL REFERENCES deposit,
  status TEXT NOT NULL,
  url TEXT NOT NULL,
  -- The origin of `url`: one that answers slowly keeps no other waiting.
  receiver TEXT NOT NULL,
  -- Sealed for its deposit: the same text as at the invoice or link.
  secret TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (deposit_index, status),
  CHECK ((state = 'pending') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE INDEX webhook_event_due ON webhook_event (next_attempt_at) WHERE state = 'pending';
-- What waits for one receiver, without reading what waits for the others.
CREATE INDEX webhook_event_waiting ON webhook_event (receiver, next_attempt_at) WHERE state = 'pending';

CREATE TABLE delivery_attempt (
  event_id TEXT NOT NULL REFERENCES webhook_event,
  attempt INTEGER NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  http_status INTEGER,
  reason TEXT,
  PRIMARY KEY (event_id, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE mail (
  id TEXT PRIMARY KEY,
  sequence INTEGER NOT NULL REFERENCES invoice,
  -- The invoice is mailed as often as the merchant asks; a receipt and a notice go out once.
  kind TEXT NOT NULL CHECK (kind IN ('invoice', 'receipt', 'notice')),
  state TEXT NOT NULL CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'superseded')),
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt_at INTEGER,
  -- When the content began to be handed over. From then on only the mail server knows whether it was delivered.
  content_at INTEGER,
  reason TEXT,
  -- Whether the mail server refused this mail for good.
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused IN (0, 1)),
  created_at INTEGER NOT NULL,
  CHECK ((state = 'queued') = (next_attempt_at IS NOT NULL))
) STRICT;
CREATE INDEX mail_by_invoice ON mail (sequence);
CREATE UNIQUE INDEX mail_once ON mail (sequence, kind) WHERE kind <> 'invoice';
CREATE INDEX mail_due ON mail (next_attempt_at) WHERE state = 'queued';
CREATE INDEX mail_open ON mail (state, created_at) WHERE state IN ('queued', 'sending', 'failed', 'unknown');
