INSERT INTO thread (team, channel, thread_ts, last_seq, tokens, cleared_seq, version) VALUES ('T1', 'C1', '1764000000.000100', 0, 0, 0, 1);
INSERT INTO query (thread_id, turn_id, part, turn_seq, source, question, sql, reading, meaning, analyst, status, detail, row_count, truncated, headline, result, elapsed_ms, created_at) VALUES
(1, 'T1:C1:1', 'write_sql', 1, 'shop', 'how many apps?', 'SELECT zebra', 'apps', '{"count": "apps"}', 'a model', 'failed', 'no such column: zebra', NULL, false, '', NULL, NULL, '2026-01-07 12:00:01'),
(1, 'T1:C1:1', 'repair_sql:0', 1, 'shop', 'how many apps?', 'SELECT COUNT(*) FROM apps', 'number of apps', '{"count": "apps"}', 'a model', 'ok', '', 1, false, '49', 'q2', 12, '2026-01-07 12:00:02'),
(1, 'T1:C1:1', 'phrase', 1, 'shop', 'how many apps?', '', 'There are 49 apps.', NULL, 'a model', 'told', '', NULL, false, '', NULL, NULL, '2026-01-07 12:00:03'),
(1, 'T1:C1:1', 'receipt', 1, 'shop', 'how many apps?', '', 'abc123', '{"query_id": 2, "seal": "abc123"}', 'a model', 'told', '', NULL, false, '', NULL, NULL, '2026-01-07 12:00:04'),
(1, 'T1:C1:2', 'write_sql', 2, 'shop', 'revenue by date', '', 'Which date?', '["order date", "ship date"]', 'a model', 'asked', '', NULL, false, '', NULL, NULL, '2026-01-07 12:00:05'),
(1, 'T1:C1:3', 'write_sql', 3, 'shop', 'the weather', '', 'There is no weather here.', '[]', 'a model', 'declined', '', NULL, false, '', NULL, NULL, '2026-01-07 12:00:06'),
(1, 'T1:C1:4', 'write_sql', 4, 'shop', 'list the apps', 'SELECT name FROM apps', 'apps', NULL, 'a model', 'draft', '', NULL, false, '', NULL, NULL, '2026-01-07 12:00:07'),
(1, 'T1:C1:5', 'receipt', 5, 'shop', '', '', '', NULL, 'a model', 'told', '', NULL, false, '', NULL, NULL, '2026-01-07 12:00:08')
