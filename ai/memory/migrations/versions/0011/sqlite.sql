CREATE TABLE verified (
  id INTEGER NOT NULL,
  team VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  thread_ts VARCHAR NOT NULL,
  turn_id VARCHAR NOT NULL,
  workspace VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  question TEXT NOT NULL,
  normal TEXT NOT NULL,
  sql TEXT NOT NULL,
  reading TEXT NOT NULL,
  meaning JSON,
  day DATE NOT NULL,
  asked_by VARCHAR NOT NULL,
  accepted_by VARCHAR NOT NULL,
  accepted_at DATETIME NOT NULL,
  version INTEGER NOT NULL,
  confirmed_by VARCHAR DEFAULT '' NOT NULL,
  objected_by VARCHAR DEFAULT '' NOT NULL,
  objection VARCHAR DEFAULT '' NOT NULL,
  holds_under JSON NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (turn_id)
);

CREATE INDEX verified_of_a_workspace ON verified (team, workspace, source);

CREATE TABLE rule (
  id INTEGER NOT NULL,
  team VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  thread_ts VARCHAR NOT NULL,
  turn_id VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  author VARCHAR NOT NULL,
  said TEXT NOT NULL,
  change JSON NOT NULL,
  status VARCHAR NOT NULL,
  trial JSON,
  decided_by VARCHAR NOT NULL,
  approved_as INTEGER,
  ended_as INTEGER,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (turn_id)
);

CREATE INDEX ix_rule_source ON rule (source);

ALTER TABLE state ADD COLUMN said TEXT DEFAULT '' NOT NULL;

ALTER TABLE trace ADD COLUMN said TEXT DEFAULT '' NOT NULL;

ALTER TABLE state ADD COLUMN number INTEGER DEFAULT '0' NOT NULL;

ALTER TABLE "query" ADD COLUMN reply TEXT DEFAULT '' NOT NULL;

ALTER TABLE "query" ADD COLUMN options JSON;

UPDATE query SET reply = reading, options = meaning, reading = '', meaning = NULL WHERE status IN ('asked', 'declined');

CREATE TABLE phrasing (
  turn_id VARCHAR NOT NULL,
  thread_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (turn_id),
  FOREIGN KEY(thread_id) REFERENCES thread (id)
);

CREATE INDEX ix_phrasing_thread_id ON phrasing (thread_id);

CREATE TABLE receipt (
  turn_id VARCHAR NOT NULL,
  thread_id INTEGER NOT NULL,
  fields JSON NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (turn_id),
  FOREIGN KEY(thread_id) REFERENCES thread (id)
);

CREATE INDEX ix_receipt_thread_id ON receipt (thread_id);

INSERT INTO phrasing SELECT turn_id, thread_id, reading, created_at FROM query WHERE status = 'told' AND part = 'phrase';

INSERT INTO receipt SELECT turn_id, thread_id, meaning, created_at FROM query WHERE status = 'told' AND part =
  'receipt' AND meaning IS NOT NULL;

DELETE FROM query WHERE status = 'told';

ALTER TABLE message ADD COLUMN remark VARCHAR DEFAULT '' NOT NULL;

CREATE INDEX message_by_remark ON message (thread_id, remark, seq);

CREATE TABLE preference (
  id INTEGER NOT NULL,
  team VARCHAR NOT NULL,
  user VARCHAR NOT NULL,
  kind VARCHAR NOT NULL,
  said TEXT NOT NULL,
  word TEXT NOT NULL,
  means TEXT NOT NULL,
  channel VARCHAR NOT NULL,
  thread_ts VARCHAR NOT NULL,
  turn_id VARCHAR NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (id),
  UNIQUE (turn_id)
);

CREATE INDEX preference_of_a_person ON preference (team, user, id);
