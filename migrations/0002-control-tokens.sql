-- Named tokens of the control API, for all replicas. A token itself is not kept: nothing in this table opens the control API.

CREATE TABLE control_tokens (
  name TEXT PRIMARY KEY,
  -- read, drive or administer.
  scope TEXT NOT NULL,
  -- SHA-256 of the token, and of the cookie that a browser has instead, in base64url.
  token_digest TEXT NOT NULL,
  cookie_digest TEXT NOT NULL,
  created_ms BIGINT NOT NULL,
  -- The last use, to the minute; null before the first.
  last_used_ms BIGINT
);

-- The digest of the named token that forked the world; null for the control token of the server, and without one.
ALTER TABLE worlds ADD COLUMN creator TEXT;
