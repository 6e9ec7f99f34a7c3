CREATE TABLE customers (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email VARCHAR(80), country CHAR(2), signed_up DATE, is_active BOOLEAN,
  tags JSON, profile TEXT
);
INSERT INTO customers VALUES
  (1, 'Ada', 'ada@example.com', 'GB', '2024-01-15', 1, '["vip","beta"]', '{"plan":"pro","seats":12}'),
  (2, 'Grace O''Hopper', NULL, 'US', '2024-02-03', 1, '[]', '{"plan":"free","seats":1}'),
  (3, 'José', 'jose@example.com', 'ES', '2024-02-20', 0, '["beta"]', '{"plan":"pro","seats":3}'),
  (4, '李雷', 'lilei@example.com', 'CN', '2024-03-09', 1, NULL, NULL);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, status TEXT, amount DECIMAL(10,2), paid_at DATETIME,
  "order" INTEGER, "group" TEXT, "line note" TEXT
);
INSERT INTO orders VALUES
  (1, 1, 'paid', 120.5, '2024-03-01 10:00:00', 1, 'a', 'first'),
  (2, 1, 'paid', 80, '2024-04-02 11:30:00', 2, 'b', NULL),
  (3, 2, 'refunded', 15.25, '2024-04-10 09:00:00', 1, 'a', 'please update address'),
  (4, 2, 'paid', 310, '2024-05-21 18:45:00', 2, 'b', 'drop table orders; --'),
  (5, 3, 'pending', 42, NULL, 1, 'a', '50% off'),
  (6, NULL, 'paid', 9.99, '2024-06-01 00:00:00', 1, 'c', '100 "percent"');
CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT, boss INTEGER REFERENCES employees (id), city TEXT);
INSERT INTO employees VALUES (1, 'Root', NULL, 'Rome'), (2, 'Mid', 1, 'Oslo'), (3, 'Leaf', 2, 'Oslo');
CREATE TABLE "Odd Names" ("id" INTEGER, "the ""best"" name" TEXT, [select] TEXT, "größe" REAL);
INSERT INTO "Odd Names" VALUES (1, 'x', 'y', 1.5);
CREATE TABLE stock (shop TEXT, item TEXT, pieces INT, PRIMARY KEY (shop, item)) WITHOUT ROWID;
INSERT INTO stock VALUES ('n', 'pen', 3), ('n', 'cap', 0), ('s', 'pen', 7);
CREATE VIEW daily AS SELECT date(paid_at) AS day, sum(amount) AS total FROM orders WHERE paid_at IS NOT NULL GROUP BY 1;
CREATE TABLE secrets (id INTEGER PRIMARY KEY, token TEXT);
INSERT INTO secrets VALUES (1, 'sk-1'), (2, 'sk-2');
