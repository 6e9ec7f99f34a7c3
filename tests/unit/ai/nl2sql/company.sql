-- A company whose words say who did it and when: one table is reached by two ways, and what ended has its own day.
CREATE TABLE agents (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE accounts (id INTEGER PRIMARY KEY, name TEXT NOT NULL, manager_id INTEGER REFERENCES agents (id));
CREATE TABLE contacts (id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id), full_name TEXT NOT NULL, role TEXT NOT NULL);
CREATE TABLE plans (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id), started_on DATE NOT NULL, ended_on DATE, end_kind TEXT
);
CREATE TABLE tickets (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id), agent_id INTEGER REFERENCES agents (id), opened_on DATE NOT NULL
);
CREATE TABLE usage (
  day DATE NOT NULL, account_id INTEGER NOT NULL REFERENCES accounts (id), event TEXT NOT NULL, event_count INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, event)
);
INSERT INTO agents VALUES (1, 'Ida'), (2, 'Jon');
INSERT INTO accounts VALUES (1, 'Acme', 1), (2, 'Globex', 1);
INSERT INTO contacts VALUES (1, 1, 'Ann', 'owner'), (2, 1, 'Bob', 'viewer'), (3, 2, 'Cid', 'owner');
INSERT INTO plans VALUES (1, 1, '2024-01-01', '2025-03-01', 'upgraded'), (2, 1, '2025-03-01', NULL, NULL), (3, 2, '2025-02-01', '2026-01-01', 'cancelled');
INSERT INTO tickets VALUES (1, 1, 2, '2026-10-03'), (2, 2, 2, '2026-10-04');
INSERT INTO usage VALUES ('2026-10-01', 1, 'api_call', 7), ('2026-10-02', 2, 'api_call', 5), ('2026-10-02', 2, 'export', 1);
CREATE TABLE employees (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, salary REAL NOT NULL, hired_on DATE NOT NULL, boss_id INTEGER REFERENCES employees (id));
INSERT INTO employees VALUES (1, 'Ada', 90.0, '2020-01-01', NULL), (2, 'Ben', 95.0, '2021-01-01', 1), (3, 'Cho', 60.0, '2019-05-01', 1);
CREATE TABLE shipments (id INTEGER PRIMARY KEY, code TEXT NOT NULL, promised_on TEXT NOT NULL, shipped_on TEXT);
INSERT INTO shipments VALUES (1, 'S-1', '20261003', '20261005'), (2, 'S-2', '20261010', '20261009'), (3, 'S-3', '20261101', NULL);
