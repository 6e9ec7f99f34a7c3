CREATE TABLE search_mark (message INTEGER NOT NULL);

INSERT INTO search_mark VALUES ((SELECT coalesce(max(id), 0) FROM message));

DROP TRIGGER IF EXISTS message_added;

DROP TRIGGER IF EXISTS message_changed;

DROP TRIGGER IF EXISTS message_gone;

CREATE TRIGGER message_changed AFTER UPDATE OF content ON message
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', old.thread_id << 32 | old.seq, old.content,
    (SELECT 'x' || hex(t.team || '/' || t.channel) FROM thread t WHERE t.id = old.thread_id) WHERE old.id <= (SELECT
    message FROM search_mark) AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE docid = old.thread_id << 32 |
    old.seq);
  INSERT OR IGNORE INTO search_backlog SELECT old.thread_id << 32 | old.seq WHERE old.id <= (SELECT message FROM
    search_mark);
END;

CREATE TRIGGER message_gone AFTER DELETE ON message
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', old.thread_id << 32 | old.seq, old.content,
    (SELECT 'x' || hex(t.team || '/' || t.channel) FROM thread t WHERE t.id = old.thread_id) WHERE old.id <= (SELECT
    message FROM search_mark) AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE docid = old.thread_id << 32 |
    old.seq);
  DELETE FROM search_backlog WHERE docid = old.thread_id << 32 | old.seq;
  UPDATE search_mark SET message = (SELECT coalesce(max(id), 0) FROM message) WHERE message > (SELECT
    coalesce(max(id), 0) FROM message);
END;

INSERT INTO search_backlog SELECT 3 << 30 | state.number FROM state;

CREATE TRIGGER state_added AFTER INSERT ON state
BEGIN
  INSERT OR IGNORE INTO search_backlog VALUES (3 << 30 | new.number);
END;

CREATE TRIGGER state_gone AFTER DELETE ON state
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', 3 << 30 | old.number, old.said, 'all w' ||
    hex(old.workspace_id) WHERE 1 AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE docid = 3 << 30 | old.number);
  DELETE FROM search_backlog WHERE docid = 3 << 30 | old.number;
END;

INSERT INTO search_backlog SELECT 2 << 30 | trace.id FROM trace;

CREATE TRIGGER trace_added AFTER INSERT ON trace
BEGIN
  INSERT OR IGNORE INTO search_backlog VALUES (2 << 30 | new.id);
END;

CREATE TRIGGER trace_gone AFTER DELETE ON trace
BEGIN
  INSERT INTO search (search, rowid, text, place) SELECT 'delete', 2 << 30 | old.id, old.said, 'x' || hex(old.team ||
    '/' || old.channel) || ' w' || hex(old.workspace_id) WHERE 1 AND NOT EXISTS (SELECT 1 FROM search_backlog WHERE
    docid = 2 << 30 | old.id);
  DELETE FROM search_backlog WHERE docid = 2 << 30 | old.id;
END;
