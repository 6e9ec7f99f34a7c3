INSERT INTO thread (id, team, channel, thread_ts, last_seq, tokens, cleared_seq, version)
VALUES (1, 'T1', 'C1', '1764000000.000100', 6, 6, 0, 1);
INSERT INTO message (thread_id, seq, turn_seq, turn_id, part, role, content, author, tokens, cum_tokens, created_at) VALUES
(1, 1, 1, 't1', 'p1', 'user', 'q1', 'U1', 1, 1, '2026-01-01 00:00:01.000000'),
(1, 2, 1, 't1', 'p2', 'assistant', 'a1', 'U1', 1, 2, '2026-01-01 00:00:02.000000'),
(1, 3, 3, 't3', 'p3', 'user', 'q2', 'U1', 1, 3, '2026-01-01 00:00:03.000000'),
(1, 4, 3, 't3', 'p4', 'assistant', 'a2', 'U1', 1, 4, '2026-01-01 00:00:04.000000'),
(1, 5, 5, 't5', 'p5', 'user', 'q3', 'U1', 1, 5, '2026-01-01 00:00:05.000000'),
(1, 6, 5, 't5', 'p6', 'assistant', 'a3', 'U1', 1, 6, '2026-01-01 00:00:06.000000');
INSERT INTO segment (handle, thread_id, kind, state, first_turn_seq, first_seq, last_turn_seq, last_seq, as_of_seq,
  messages, chars, held_tokens, lines, tokens, created_at) VALUES
('mem://T1:C1:1764000000.000100/inner', 1, 'manual', 'live', 1, 2, 3, 3, 6, 2, 4, 2, '[{"text": "the inner", "tokens": 2, "seq": 2, "at": "2026-01-01T00:00:00+00:00"}]', 2, '2026-01-02 00:00:01.000000'),
('mem://T1:C1:1764000000.000100/outer', 1, 'manual', 'live', 1, 2, 5, 5, 6, 2, 4, 2, '[{"text": "the outer", "tokens": 2, "seq": 2, "at": "2026-01-01T00:00:00+00:00"}]', 2, '2026-01-02 00:00:02.000000'),
('mem://T1:C1:1764000000.000100/copy', 1, 'manual', 'released', 1, 2, 3, 3, 6, 2, 4, 2, '[]', 0, '2026-01-02 00:00:00.000000');
INSERT INTO restored (thread_id, handle, after_turn_seq, after_seq, created_at)
VALUES (1, 'mem://T1:C1:1764000000.000100/copy', 5, 6, '2026-01-02 00:00:05.000000')
