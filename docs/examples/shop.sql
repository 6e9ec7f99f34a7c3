-- A small shop: who bought what, when, and for how much.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, country TEXT NOT NULL);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  ordered_on DATE NOT NULL,
  status TEXT NOT NULL,
  amount_eur DECIMAL(10, 2) NOT NULL
);
INSERT INTO customers VALUES
  (1, 'Ada Lind', 'ada@example.com', 'Sweden'), (2, 'Ben Kraus', 'ben@example.com', 'Germany'),
  (3, 'Cleo Roux', 'cleo@example.com', 'France'), (4, 'Dan Weiss', 'dan@example.com', 'Germany');
INSERT INTO orders VALUES
  (1, 1, '2026-08-03', 'paid', 120.00), (2, 2, '2026-08-19', 'paid', 80.50), (3, 2, '2026-09-02', 'refunded', 40.00),
  (4, 3, '2026-09-14', 'paid', 210.00), (5, 1, '2026-10-07', 'paid', 64.90), (6, 2, '2026-10-21', 'paid', 99.00);
