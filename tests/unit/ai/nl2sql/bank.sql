-- A bank for small firms. Staff look after clients and handle disputes; states are words of grammar (lost, declined, won).
CREATE TABLE staff (
  id INTEGER PRIMARY KEY, full_name TEXT, team TEXT, left_on TEXT, manager_id INTEGER REFERENCES staff (id)
);
CREATE TABLE clients (
  id INTEGER PRIMARY KEY, name TEXT, country TEXT, city TEXT, sector TEXT, status TEXT, joined_on TEXT, closed_on TEXT,
  advisor_id INTEGER REFERENCES staff (id)
);
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (id), iban TEXT, opened_on TEXT, closed_on TEXT
);
CREATE TABLE payments (
  id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES accounts (id), kind TEXT, amount REAL, status TEXT,
  decline_reason TEXT, merchant TEXT, paid_at TEXT
);
CREATE TABLE disputes (
  id INTEGER PRIMARY KEY, payment_id INTEGER REFERENCES payments (id), reason TEXT, status TEXT, opened_on TEXT,
  handled_by INTEGER REFERENCES staff (id)
);
CREATE TABLE checks (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), result TEXT, done_on TEXT);
INSERT INTO staff VALUES (1, 'Ana Roth', 'Advice', NULL, NULL), (2, 'Bo Lang', 'Advice', '2026-05-01', 1), (3, 'Cy Marsh', 'Disputes', NULL, 1);
INSERT INTO clients VALUES
  (1, 'Alder Bakery', 'Germany', 'Berlin', 'food', 'active', '2025-02-01', NULL, 1),
  (2, 'Birch Bikes', 'France', 'Lyon', 'retail', 'active', '2026-03-01', NULL, 1),
  (3, 'Cedar Cafe', 'France', 'Nice', 'food', 'closed', '2025-06-01', '2026-04-01', 2),
  (4, 'Dune Design', 'Germany', 'Bonn', 'services', 'active', '2026-10-05', NULL, 3);
INSERT INTO accounts VALUES
  (1, 1, 'DE1', '2025-02-02', NULL), (2, 2, 'FR2', '2026-03-02', NULL), (3, 3, 'FR3', '2025-06-02', '2026-04-01'),
  (4, 4, 'DE4', '2026-10-06', NULL), (5, 1, 'DE5', '2026-10-06', NULL);
INSERT INTO payments VALUES
  (1, 1, 'card', 100, 'settled', NULL, 'Shell', '2026-09-03'), (2, 1, 'card', 50, 'declined', 'no funds', 'Shell', '2026-10-04'),
  (3, 2, 'transfer', 200, 'settled', NULL, NULL, '2026-10-05'), (4, 3, 'card', 80, 'declined', 'limit', 'Uber', '2026-03-06'),
  (5, 4, 'card', 70, 'settled', NULL, 'Uber', '2026-11-07'), (6, 5, 'card', 30, 'reversed', NULL, 'Uber', '2026-10-08'),
  (7, 2, 'card', 40, 'declined', 'no funds', 'Shell', '2026-10-09');
INSERT INTO disputes VALUES
  (1, 1, 'fraud', 'won', '2026-09-10', 3), (2, 3, 'fraud', 'lost', '2026-10-10', 3), (3, 4, 'quality', 'lost', '2026-03-10', 2),
  (4, 5, 'quality', 'open', '2026-11-10', 3), (5, 6, 'quality', 'won', '2026-10-20', 1);
INSERT INTO checks VALUES (1, 1, 'passed', '2025-02-01'), (2, 2, 'failed', '2026-03-01'), (3, 2, 'passed', '2026-03-09'), (4, 3, 'failed', '2025-06-01');
CREATE TABLE leaflets (id INTEGER PRIMARY KEY, title TEXT, format TEXT, is_current INTEGER);
CREATE TABLE mailings (id INTEGER PRIMARY KEY, leaflet_id INTEGER REFERENCES leaflets (id), cost REAL, sent_on TEXT, expires_on TEXT);
INSERT INTO leaflets VALUES (1, 'Loans', 'print', 1), (2, 'Cards', 'digital', 1), (3, 'Savings', 'plus', 0);
INSERT INTO mailings VALUES
  (1, 1, 40, '2026-10-01', '2026-12-01'), (2, 1, 60, '2026-10-09', '2027-01-15'), (3, 2, 20, '2026-11-02', '2027-02-01'),
  (4, 3, 80, '2026-09-02', '2026-11-01');
CREATE TABLE promos (id INTEGER PRIMARY KEY, title TEXT, status TEXT, begins_on TEXT, end_date TEXT);
INSERT INTO promos VALUES (1, 'Spring', 'ended', '2026-03-01', '2026-04-01'), (2, 'Autumn', 'live', '2026-09-01', '2026-12-31'), (3, 'Always', 'live', '2026-01-01', NULL);
CREATE TABLE loans (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES clients (id), rhythm TEXT, sum REAL, granted_on TEXT);
INSERT INTO loans VALUES
  (1, 1, 'monthly', 900, '2026-02-01'), (2, 2, 'annual', 500, '2026-03-01'), (3, 4, 'monthly', 300, '2026-10-20'),
  (4, 2, 'quarterly', 100, '2025-10-02');
