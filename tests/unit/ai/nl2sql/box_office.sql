-- A box office whose names are shortened and whose states are codes.
CREATE TABLE venue (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, vtype TEXT NOT NULL, cap INTEGER NOT NULL);
INSERT INTO venue VALUES (1, 'Old Mill', 'Ghent', 'OPEN', 300), (2, 'Harbour Hall', 'Cork', 'HALL', 900);
CREATE TABLE promoter (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
INSERT INTO promoter VALUES (1, 'Kraai & Co'), (2, 'Meadow Booking');
CREATE TABLE event (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, venue_id INTEGER NOT NULL REFERENCES venue(id), onsale_on DATE, starts_at DATE
);
INSERT INTO event VALUES (1, 'An Evening with Glass Gardens', 1, '2026-06-01', '2026-10-10'),
  (2, 'Rave Electric Rivers Live', 2, '2026-08-01', '2026-12-05'), (3, 'Amber Trio on Tour', 2, '2026-02-01', '2026-10-24');
CREATE TABLE ticket_type (
  id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES event(id), name TEXT NOT NULL, price_cents INTEGER, qty INTEGER
);
INSERT INTO ticket_type VALUES (1, 1, 'VIP', 5000, 20), (2, 2, 'Seated', 3000, 200), (3, 3, 'Seated', 2500, 150);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, event_id INTEGER NOT NULL REFERENCES event(id), buyer_name TEXT NOT NULL, ch TEXT NOT NULL,
  status TEXT NOT NULL, placed_at DATE NOT NULL, fee_cents INTEGER NOT NULL, total_cents INTEGER NOT NULL
);
INSERT INTO orders VALUES (1, 1, 'Ada', 'web', 'PAID', '2026-10-02', 0, 10000), (2, 2, 'Bo', 'app', 'CANC', '2026-10-05', 100, 3100),
  (3, 2, 'Ada', 'web', 'PEND', '2026-11-03', 100, 6100), (4, 3, 'Cy', 'box', 'PAID', '2026-09-09', 50, 2550),
  (5, 1, 'Bo', 'web', 'PAID', '2026-10-20', 50, 5050);
CREATE TABLE tkt (
  id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders(id), tt_id INTEGER NOT NULL REFERENCES ticket_type(id),
  status TEXT NOT NULL
);
INSERT INTO tkt VALUES (1, 1, 1, 'USED'), (2, 1, 1, 'USED'), (3, 2, 2, 'VOID'), (4, 3, 2, 'VALID'), (5, 3, 2, 'VALID'),
  (6, 4, 3, 'USED'), (7, 5, 1, 'VALID');
CREATE TABLE refund (
  id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders(id), amt_cents INTEGER NOT NULL, reason TEXT NOT NULL,
  asked_at DATE NOT NULL, paid_at DATE
);
INSERT INTO refund VALUES (1, 2, 3100, 'SHOW_CANC', '2026-10-06', '2026-10-16'), (2, 4, 2550, 'MONEY', '2026-10-12', NULL);
CREATE TABLE payout (
  id INTEGER PRIMARY KEY, promoter_id INTEGER NOT NULL REFERENCES promoter(id), event_id INTEGER NOT NULL REFERENCES event(id),
  kind TEXT NOT NULL, amount REAL NOT NULL, due_on DATE NOT NULL, paid_on DATE
);
INSERT INTO payout VALUES (1, 1, 1, 'ADV', 4000.0, '2026-10-01', '2026-10-04'), (2, 2, 2, 'FINAL', 900.0, '2026-12-10', NULL);
CREATE TABLE application (
  id INTEGER PRIMARY KEY, promoter_id INTEGER NOT NULL REFERENCES promoter(id), stage TEXT NOT NULL, applied_on DATE NOT NULL,
  stage_dt DATE NOT NULL
);
INSERT INTO application VALUES (1, 1, 'DECL', '2026-10-03', '2026-11-01'), (2, 2, 'ACC', '2026-09-03', '2026-10-01'),
  (3, 2, 'ACC', '2026-10-13', '2026-10-30');
