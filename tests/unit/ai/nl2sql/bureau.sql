-- A translation bureau that declares no keys: names and values tell them.
CREATE TABLE langs (id INTEGER PRIMARY KEY, iso TEXT NOT NULL, nm TEXT NOT NULL);
CREATE TABLE job_stat (cd TEXT PRIMARY KEY, descr TEXT NOT NULL);
CREATE TABLE staff (id INTEGER PRIMARY KEY, fname TEXT NOT NULL, lname TEXT NOT NULL, role TEXT NOT NULL, mgr_id INTEGER);
CREATE TABLE cust (id INTEGER PRIMARY KEY, company_name TEXT NOT NULL, acct_mgr_id INTEGER);
CREATE TABLE linguists (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, native_lang_id INTEGER, age TEXT, score REAL, rate_cents INTEGER NOT NULL, joined_at TEXT NOT NULL);
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY, cust_id INTEGER NOT NULL, title TEXT NOT NULL, linguist_id INTEGER, pm_id INTEGER NOT NULL, stat_cd TEXT NOT NULL,
  word_cnt INTEGER NOT NULL, created_at TEXT NOT NULL,
  src_lang_id INTEGER NOT NULL, tgt_lang_id INTEGER NOT NULL, due_on TEXT NOT NULL, delivered_at TEXT
);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE job_tags (job_id INTEGER NOT NULL, tag_id INTEGER NOT NULL);
CREATE TABLE supplies (id INTEGER PRIMARY KEY, name TEXT NOT NULL, stock INTEGER NOT NULL, reorder_level INTEGER NOT NULL, list_price REAL NOT NULL, purchase_price REAL NOT NULL, shelf TEXT NOT NULL, model_year INTEGER NOT NULL);
INSERT INTO langs VALUES (1, 'en', 'English'), (2, 'fr', 'French'), (3, 'ja', 'Japanese');
INSERT INTO job_stat VALUES ('N', 'New'), ('D', 'Delivered'), ('X', 'Cancelled');
INSERT INTO staff VALUES (1, 'Vera', 'Holt', 'Director', NULL), (2, 'Nick', 'Barry', 'Project Manager', 1), (3, 'Ines', 'Cruz', 'Project Manager', 1), (4, 'Ola', 'Berg', 'Account Manager', 1);
INSERT INTO cust VALUES (1, 'Alpenrad', 4), (2, 'Medigen', 4), (3, 'Solaro', NULL);
INSERT INTO linguists VALUES (1, 'Clara Weiss', 1, '41', 4.5, 14, '2022-01-10 09:00:00'), (2, 'Hugo Blanc', 2, '9', 3.5, 9, '2020-03-01 09:00:00'), (3, 'Yuki Sato', 3, '63', NULL, 12, '2025-05-05 09:00:00');
INSERT INTO jobs VALUES
  (1, 1, 'Contract 1', 1, 2, 'D', 500, '2026-10-01 09:00:00', 1, 2, '2026-10-09', '2026-10-09 15:00:00'), (2, 1, 'Manual 2', 2, 2, 'X', 900, '2026-10-05 10:00:00', 2, 1, '2026-10-12', '2026-10-13 09:00:00'),
  (3, 2, 'Website 3', 1, 3, 'N', 300, '2026-11-02 11:00:00', 1, 3, '2026-11-20', NULL);
INSERT INTO tags VALUES (1, 'urgent'), (2, 'sworn'), (3, 'manual');
INSERT INTO job_tags VALUES (1, 1), (1, 2), (2, 1);
INSERT INTO supplies VALUES (1, 'Toner', 2, 5, 60.0, 31.0, 'A', 2024), (2, 'Paper', 90, 50, 4.5, 4.1, 'A', 2021), (3, 'Cable', 5, 5, 9.0, 2.5, 'B', 2019);
