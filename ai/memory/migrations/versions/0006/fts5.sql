CREATE TABLE search_backlog (docid INTEGER PRIMARY KEY);

CREATE VIRTUAL TABLE search USING fts5(text, place, content='', columnsize=0, tokenize='porter unicode61');

INSERT INTO search (search, rank) VALUES ('automerge', 0);

INSERT INTO search (search, rank) VALUES ('crisismerge', 1000);

CREATE TRIGGER message_added AFTER INSERT ON message
BEGIN
  INSERT OR IGNORE INTO search_backlog VALUES ((new.thread_id << 32) | new.seq);
END;

CREATE TRIGGER message_changed AFTER UPDATE OF content ON message
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', (old.thread_id << 32) | old.seq, old.content,
    (SELECT 'x' || hex(team || '/' || channel) FROM thread WHERE id = old.thread_id) WHERE NOT EXISTS (SELECT 1 FROM
    search_backlog WHERE docid = (old.thread_id << 32) | old.seq);
  INSERT OR IGNORE INTO search_backlog VALUES ((new.thread_id << 32) | new.seq);
END;

CREATE TRIGGER message_gone AFTER DELETE ON message
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', (old.thread_id << 32) | old.seq, old.content,
    (SELECT 'x' || hex(team || '/' || channel) FROM thread WHERE id = old.thread_id) WHERE NOT EXISTS (SELECT 1 FROM
    search_backlog WHERE docid = (old.thread_id << 32) | old.seq);
  DELETE FROM search_backlog WHERE docid = (old.thread_id << 32) | old.seq;
END;

CREATE TRIGGER query_added AFTER INSERT ON query
BEGIN
  INSERT OR IGNORE INTO search_backlog VALUES ((new.thread_id << 32) | (1 << 31) | new.id);
END;

CREATE TRIGGER query_changed AFTER UPDATE OF question, sql ON query
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', (old.thread_id << 32) | (1 << 31) | old.id,
    old.question || char(10) || old.sql, (SELECT 'x' || hex(team || '/' || channel) FROM thread WHERE id =
    old.thread_id) WHERE NOT EXISTS (SELECT 1 FROM search_backlog WHERE docid = (old.thread_id << 32) | (1 << 31) |
    old.id);
  INSERT OR IGNORE INTO search_backlog VALUES ((new.thread_id << 32) | (1 << 31) | new.id);
END;

CREATE TRIGGER query_gone AFTER DELETE ON query
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', (old.thread_id << 32) | (1 << 31) | old.id,
    old.question || char(10) || old.sql, (SELECT 'x' || hex(team || '/' || channel) FROM thread WHERE id =
    old.thread_id) WHERE NOT EXISTS (SELECT 1 FROM search_backlog WHERE docid = (old.thread_id << 32) | (1 << 31) |
    old.id);
  DELETE FROM search_backlog WHERE docid = (old.thread_id << 32) | (1 << 31) | old.id;
END;
