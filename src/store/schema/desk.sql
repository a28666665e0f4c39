-- Version 3: the desk. Who works at it, what they did, and what they have set and begun.

CREATE TABLE person (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'accountant')),
  -- Argon2id; null for who signs in with a passkey alone.
  password_hash TEXT,
  -- What WebAuthn calls the user handle: random, so that a passkey says nothing of the person.
  handle TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE passkey (
  id INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES person,
  -- Base64url, as browsers write it.
  credential_id TEXT NOT NULL UNIQUE,
  public_key BLOB NOT NULL,
  -- How often it signed, where the device counts; 0 where it does not.
  counter INTEGER NOT NULL,
  -- How the browser can reach it, as a JSON array.
  transports TEXT NOT NULL DEFAULT '[]',
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX passkey_by_person ON passkey (person_id);

-- Only the SHA-256 of a session's token is kept, as of an API key.
CREATE TABLE session (
  session_id INTEGER PRIMARY KEY,
  person_id INTEGER NOT NULL REFERENCES person,
  token_hash TEXT NOT NULL UNIQUE,
  -- The browser, as people call it: "Firefox on Android".
  device TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_by_person ON session (person_id);

-- A link that lets one person in, once: the first owner, who was invited, or who lost the passkey.
CREATE TABLE entry_link (
  id INTEGER PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  -- Who comes back; null for somebody new, who gets the role.
  person_id INTEGER REFERENCES person,
  role TEXT NOT NULL CHECK (role IN ('owner', 'staff', 'accountant')),
  -- Who is meant by an invitation, as the inviter calls them.
  name TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;

-- What people did. A row is written before the deed and says afterwards how it ended: null when Till stopped in between.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  -- Null in development, where nobody signs in.
  person_id INTEGER REFERENCES person,
  person_name TEXT NOT NULL,
  action TEXT NOT NULL,
  -- What it was done to, as people call it: an invoice's number, a link's slug, a person's name.
  subject TEXT,
  outcome TEXT CHECK (outcome IN ('done', 'failed'))
) STRICT;

-- An invoice that was begun, as its form was last sent.
CREATE TABLE draft (
  id INTEGER PRIMARY KEY,
  form TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- What new invoices and links start from, as JSON by name.
CREATE TABLE preference (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Where the desk may send what is in Till's wallet: chosen on the command line, which a stolen session does not reach.
CREATE TABLE allowed_address (
  address TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
