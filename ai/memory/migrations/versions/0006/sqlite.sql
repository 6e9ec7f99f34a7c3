CREATE TABLE thread (
  id INTEGER NOT NULL,
  team VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  thread_ts VARCHAR NOT NULL,
  last_seq INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  cleared_seq INTEGER NOT NULL,
  version INTEGER NOT NULL,
  view_messages INTEGER DEFAULT '0' NOT NULL,
  view_tokens INTEGER DEFAULT '0' NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT one_row_per_thread UNIQUE (team, channel, thread_ts)
);

CREATE TABLE message (
  id INTEGER NOT NULL,
  thread_id INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  turn_seq INTEGER NOT NULL,
  turn_id VARCHAR NOT NULL,
  part VARCHAR NOT NULL,
  role VARCHAR NOT NULL,
  content TEXT NOT NULL,
  author VARCHAR NOT NULL,
  tokens INTEGER NOT NULL,
  exact BOOLEAN DEFAULT 1 NOT NULL,
  cum_tokens BIGINT NOT NULL,
  created_at DATETIME NOT NULL,
  edited_at DATETIME,
  deleted_at DATETIME,
  CONSTRAINT message_by_number PRIMARY KEY (id),
  CONSTRAINT each_place_once UNIQUE (thread_id, seq),
  CONSTRAINT one_message_per_part UNIQUE (turn_id, part),
  FOREIGN KEY(thread_id) REFERENCES thread (id)
);

CREATE INDEX message_in_turn_order ON message (thread_id, turn_seq, seq);

CREATE TABLE segment (
  handle VARCHAR NOT NULL,
  thread_id INTEGER NOT NULL,
  kind VARCHAR NOT NULL,
  last_turn_seq INTEGER NOT NULL,
  messages INTEGER NOT NULL,
  lines JSON NOT NULL,
  tokens INTEGER NOT NULL,
  created_at DATETIME NOT NULL,
  as_of_seq INTEGER DEFAULT '0' NOT NULL,
  chars INTEGER DEFAULT '0' NOT NULL,
  held_tokens INTEGER DEFAULT '0' NOT NULL,
  state VARCHAR DEFAULT 'live' NOT NULL,
  content JSON DEFAULT '[]' NOT NULL,
  hides JSON DEFAULT '[]' NOT NULL,
  PRIMARY KEY (handle),
  FOREIGN KEY(thread_id) REFERENCES thread (id)
);

CREATE INDEX ix_segment_thread_id ON segment (thread_id);

CREATE TABLE inset (
  id INTEGER NOT NULL,
  thread_id INTEGER NOT NULL,
  handle VARCHAR NOT NULL,
  after_turn_seq INTEGER NOT NULL,
  after_seq INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  inside VARCHAR NOT NULL,
  copied JSON,
  PRIMARY KEY (id),
  FOREIGN KEY(thread_id) REFERENCES thread (id)
);

CREATE INDEX ix_inset_thread_id ON inset (thread_id);

CREATE TABLE "query" (
  id INTEGER NOT NULL,
  thread_id INTEGER NOT NULL,
  turn_id VARCHAR NOT NULL,
  part VARCHAR NOT NULL,
  turn_seq INTEGER NOT NULL,
  source VARCHAR NOT NULL,
  question TEXT NOT NULL,
  sql TEXT NOT NULL,
  reading TEXT NOT NULL,
  meaning JSON,
  analyst VARCHAR NOT NULL,
  status VARCHAR NOT NULL,
  detail TEXT NOT NULL,
  row_count INTEGER,
  truncated BOOLEAN NOT NULL,
  headline TEXT NOT NULL,
  result VARCHAR,
  elapsed_ms INTEGER,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT each_query_once UNIQUE (turn_id, part),
  FOREIGN KEY(thread_id) REFERENCES thread (id)
);

CREATE INDEX query_in_turn_order ON "query" (thread_id, turn_seq, id);

CREATE TABLE workspace (
  id VARCHAR NOT NULL,
  team VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  description TEXT NOT NULL,
  root_folder TEXT NOT NULL,
  purpose TEXT NOT NULL,
  workflows JSON NOT NULL,
  key_files JSON NOT NULL,
  preferences JSON NOT NULL,
  is_archived BOOLEAN NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT one_workspace_of_a_name UNIQUE (team, channel, name)
);

CREATE TABLE state (
  id VARCHAR NOT NULL,
  workspace_id VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  session VARCHAR NOT NULL,
  team VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  thread_ts VARCHAR NOT NULL,
  turn_id VARCHAR NOT NULL,
  author VARCHAR NOT NULL,
  source VARCHAR NOT NULL,
  result VARCHAR NOT NULL,
  conversation_context TEXT NOT NULL,
  active_task TEXT NOT NULL,
  description TEXT NOT NULL,
  active_files JSON NOT NULL,
  next_steps JSON NOT NULL,
  tags JSON NOT NULL,
  "query" JSON NOT NULL,
  is_archived BOOLEAN NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT one_state_of_a_name UNIQUE (workspace_id, name),
  FOREIGN KEY(workspace_id) REFERENCES workspace (id)
);

CREATE TABLE erasure (
  reason TEXT NOT NULL
);

CREATE TABLE trace (
  id INTEGER NOT NULL,
  workspace_id VARCHAR NOT NULL,
  team VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  session VARCHAR NOT NULL,
  turn_id VARCHAR NOT NULL,
  tool VARCHAR NOT NULL,
  params JSON NOT NULL,
  result TEXT NOT NULL,
  context JSON NOT NULL,
  tokens INTEGER NOT NULL,
  ms INTEGER NOT NULL,
  created_at DATETIME NOT NULL,
  PRIMARY KEY (id)
);

CREATE INDEX trace_in_order ON trace (workspace_id, id);

CREATE INDEX trace_of_a_session ON trace (team, channel, session);

CREATE TRIGGER state_is_immutable BEFORE UPDATE OF id, workspace_id, name, session, conversation_context,
  active_task, active_files, next_steps, description, tags, team, channel, thread_ts, turn_id, author, source, query,
  result, created_at ON state
BEGIN
  SELECT RAISE(ABORT, 'States are immutable: save a new one under another name.');
END;

CREATE TRIGGER state_stays BEFORE DELETE ON state WHEN NOT EXISTS (SELECT 1 FROM erasure)
BEGIN
  SELECT RAISE(ABORT, 'States are immutable: save a new one under another name.');
END;

CREATE TABLE model_call (
  id INTEGER NOT NULL,
  team VARCHAR NOT NULL,
  channel VARCHAR NOT NULL,
  thread_ts VARCHAR NOT NULL,
  turn_id VARCHAR NOT NULL,
  user VARCHAR NOT NULL,
  purpose VARCHAR NOT NULL,
  n INTEGER NOT NULL,
  model VARCHAR NOT NULL,
  prompt INTEGER NOT NULL,
  cached INTEGER NOT NULL,
  completion INTEGER NOT NULL,
  reported BOOLEAN NOT NULL,
  cost FLOAT NOT NULL,
  currency VARCHAR NOT NULL,
  ms INTEGER NOT NULL,
  outcome VARCHAR NOT NULL,
  at DATETIME NOT NULL,
  PRIMARY KEY (id),
  CONSTRAINT each_call_once UNIQUE (turn_id, purpose, n)
);

CREATE INDEX model_call_of_a_thread ON model_call (team, channel, thread_ts);

CREATE INDEX model_call_by_time ON model_call (at);
