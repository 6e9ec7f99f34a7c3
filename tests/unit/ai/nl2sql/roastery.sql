-- Coffee sold to people. Keys are called like those they refer to and are not declared; what staff did ends in `by`;
-- amounts are in pence; an order has many days; who pays for a subscription may be somebody else.
CREATE TABLE staff (staff_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, dept TEXT NOT NULL, hired_on TEXT NOT NULL);
INSERT INTO staff VALUES
  (1, 'Ida Holm', 'Roasting', '2024-01-08'), (2, 'Max Lind', 'Roasting', '2025-05-05'), (3, 'Eva Rask', 'Sales', '2026-02-02');
CREATE TABLE customers (
  cust_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, born_on TEXT, referred_by INTEGER, created_at TEXT NOT NULL,
  deleted_at TEXT
);
INSERT INTO customers VALUES
  (1, 'Ada Moss', '1990-04-01', NULL, '2025-03-01', NULL), (2, 'Ben Tarn', '1985-07-02', 1, '2026-09-10', NULL),
  (3, 'Cleo Marsh', NULL, 1, '2026-10-05', NULL), (4, 'Dan Fell', '1979-01-03', NULL, '2026-10-20', '2026-11-01');
CREATE TABLE products (sku TEXT PRIMARY KEY, product_name TEXT NOT NULL, origin TEXT NOT NULL, launched_on TEXT NOT NULL);
INSERT INTO products VALUES
  ('CB1', 'Harbour Blend', 'Brazil', '2024-01-01'), ('CB2', 'Hill Blend', 'Kenya', '2025-01-01'),
  ('TB1', 'Morning Tea', 'India', '2026-10-02');
CREATE TABLE orders (
  ord_id INTEGER PRIMARY KEY, cust_id INTEGER, placed_at TEXT, status TEXT NOT NULL, shipped_on TEXT, due_on TEXT, paid_on TEXT,
  total_p INTEGER NOT NULL
);
INSERT INTO orders VALUES
  (1, 1, '2026-10-01 09:00:00', 'shipped', '2026-10-02', '2026-10-31', '2026-10-20', 3000),
  (2, 1, '2026-10-01 12:00:00', 'shipped', '2026-10-03', NULL, NULL, 1500),
  (3, 2, '2026-10-05 08:30:00', 'cancelled', NULL, NULL, NULL, 900),
  (4, 3, '2026-11-10 10:00:00', 'placed', NULL, '2026-12-10', NULL, 4500);
CREATE TABLE ord_lines (line_id INTEGER PRIMARY KEY, ord_id INTEGER NOT NULL, sku TEXT NOT NULL, qty INTEGER NOT NULL, line_p INTEGER NOT NULL);
INSERT INTO ord_lines VALUES
  (1, 1, 'CB1', 2, 2000), (2, 1, 'CB2', 1, 1000), (3, 2, 'CB1', 1, 1500), (4, 3, 'TB1', 1, 900), (5, 4, 'CB2', 4, 4500);
CREATE TABLE batches (
  batch_id INTEGER PRIMARY KEY, sku TEXT NOT NULL REFERENCES products (sku), received_on TEXT NOT NULL, roasted_by INTEGER,
  cost_amount REAL NOT NULL
);
INSERT INTO batches VALUES
  (1, 'CB1', '2026-10-01', 1, 80), (2, 'CB2', '2026-10-09', 1, 70), (3, 'CB1', '2026-10-20', 2, 60), (4, 'CB2', '2026-11-02', 2, 90);
CREATE TABLE subs (
  sub_id INTEGER PRIMARY KEY, cust_id INTEGER NOT NULL REFERENCES customers (cust_id),
  gift_payer_id INTEGER REFERENCES customers (cust_id), status TEXT NOT NULL, started_on TEXT NOT NULL, ended_on TEXT,
  end_reason TEXT
);
INSERT INTO subs VALUES
  (1, 1, NULL, 'active', '2026-01-05', NULL, NULL), (2, 2, 1, 'ended', '2026-09-15', '2026-10-20', 'too dear'),
  (3, 3, NULL, 'ended', '2026-10-06', '2026-10-30', 'moved'), (4, 4, NULL, 'ended', '2026-10-21', '2026-10-31', 'too dear');
CREATE TABLE reviews (rev_id INTEGER PRIMARY KEY, sku TEXT NOT NULL, cust_id INTEGER NOT NULL, stars INTEGER NOT NULL, posted_on TEXT NOT NULL);
INSERT INTO reviews VALUES (1, 'CB1', 1, 5, '2026-10-10'), (2, 'CB1', 2, 3, '2026-10-12'), (3, 'TB1', 2, 2, '2026-11-01');
