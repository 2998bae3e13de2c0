-- Worlds, their changes and snapshots, and the processes that own them. Runs in SQLite and in PostgreSQL.
-- Times are milliseconds since the epoch. Columns called entries are JSON lists of [path, value] or, for a removed row, [path].

CREATE TABLE worlds (
  id TEXT PRIMARY KEY,
  -- The world and the version from which this one was forked; null for a world with a snapshot of version 0.
  origin TEXT,
  origin_version BIGINT,
  -- The number of the newest change, and the version to which a fork from the start refers.
  version BIGINT NOT NULL,
  start_version BIGINT NOT NULL,
  -- The replica that serves the world; null if none does.
  owner TEXT,
  -- Grows with each change of owner: a write with an older number is refused.
  fence BIGINT NOT NULL,
  -- Another replica that was asked for the world.
  wanted_by TEXT,
  -- A JSON list of texts.
  labels TEXT NOT NULL,
  -- The size of the changes since the newest snapshot, and of that snapshot, in characters.
  changes_size BIGINT NOT NULL,
  snapshot_size BIGINT NOT NULL,
  created_ms BIGINT NOT NULL,
  changed_ms BIGINT NOT NULL,
  -- The time from which on the world is removed; null for never.
  expires_ms BIGINT,
  -- Removed worlds stay while a fork needs their changes.
  removed_ms BIGINT
);
CREATE INDEX worlds_of_owner ON worlds (owner);
CREATE INDEX worlds_of_origin ON worlds (origin);

CREATE TABLE changes (
  world TEXT NOT NULL,
  version BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  entries TEXT NOT NULL,
  PRIMARY KEY (world, version)
);

-- The state of a world at a version, in parts of at most 256 kB.
CREATE TABLE snapshots (
  world TEXT NOT NULL,
  version BIGINT NOT NULL,
  part BIGINT NOT NULL,
  entries TEXT NOT NULL,
  PRIMARY KEY (world, version, part)
);

-- The processes that serve worlds. A world whose owner has expired is free.
CREATE TABLE replicas (
  id TEXT PRIMARY KEY,
  expires_ms BIGINT NOT NULL
);
