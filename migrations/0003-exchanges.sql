-- The journals of worlds: exchanges as JSON, with their secrets masked.

CREATE TABLE exchanges (
  -- The id of the participant of the world that received the request, and the number of the exchange in its journal.
  world TEXT NOT NULL,
  number BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  exchange TEXT NOT NULL,
  PRIMARY KEY (world, number)
);
CREATE INDEX exchanges_by_time ON exchanges (at_ms);
