-- The journals of worlds: exchanges as JSON, with their secrets masked.

CREATE TABLE exchanges (
  -- The id of the participant of the world that received the request, and the number of the exchange in its journal.
  world TEXT NOT NULL,
  number BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  -- The length of the exchange in characters.
  size BIGINT NOT NULL,
  exchange TEXT NOT NULL,
  PRIMARY KEY (world, number)
);
-- The sizes of all exchanges are added, and the oldest found, in this index alone.
CREATE INDEX exchanges_by_time ON exchanges (at_ms, world, number, size);
