-- Canteens that deliver: days of one order in a row, things that may be missing, parts of an amount, times planned and real.
CREATE TABLE kitchens (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL, max_portions INTEGER NOT NULL);
CREATE TABLE cooks (id INTEGER PRIMARY KEY, name TEXT NOT NULL, kitchen_id INTEGER NOT NULL REFERENCES kitchens (id), skill TEXT NOT NULL, pay REAL NOT NULL, is_trainee BOOLEAN NOT NULL, left_on DATE);
CREATE TABLE vouchers (id INTEGER PRIMARY KEY, code TEXT NOT NULL, valid_from DATE NOT NULL);
CREATE TABLE guests (id INTEGER PRIMARY KEY, name TEXT NOT NULL, diet TEXT, town TEXT NOT NULL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guests (id), kitchen_id INTEGER NOT NULL REFERENCES kitchens (id), cook_id INTEGER REFERENCES cooks (id), voucher_id INTEGER REFERENCES vouchers (id), channel TEXT NOT NULL, placed_at DATETIME, picked_up_at DATETIME, delivered_at DATETIME, total REAL NOT NULL);
CREATE TABLE trips (trip_id INTEGER PRIMARY KEY, kitchen_id INTEGER NOT NULL REFERENCES kitchens (id), trip_day DATE NOT NULL, planned_time TEXT NOT NULL, arrived_time TEXT, portions INTEGER NOT NULL, portions_returned INTEGER NOT NULL, temperature_c REAL);
CREATE TABLE bills (bill_no TEXT PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guests (id), issued_on DATE, due_on DATE, paid_on DATE, amount REAL NOT NULL);
INSERT INTO kitchens VALUES (1, 'Harbour', 'Oban', 300), (2, 'Mill', 'Perth', 120);
INSERT INTO cooks VALUES (1, 'Ada', 1, 'chef', 30, 0, NULL), (2, 'Bo', 1, 'helper', 20, 1, NULL), (3, 'Cy', 2, 'helper', 10, 0, '2026-03-01'), (4, 'Di', 2, 'baker', 22, 0, NULL);
INSERT INTO vouchers VALUES (1, 'WELCOME', '2026-01-01'), (2, 'SPRING', '2026-03-01'), (3, 'LOST', '2026-05-01');
INSERT INTO guests VALUES (1, 'Eve', 'vegan', 'Oban'), (2, 'Flo', 'none', 'Oban'), (3, 'Gus', NULL, 'Perth');
INSERT INTO orders VALUES
  (1, 1, 1, 1, 1, 'app', '2026-10-31 23:00', '2026-10-31 23:30', '2026-11-01 00:00', 10),
  (2, 1, 1, NULL, 2, 'app', '2026-10-05 11:00', '2026-10-05 11:30', '2026-10-05 12:00', 20),
  (3, 2, 2, 3, NULL, 'phone', '2026-10-06 10:00', '2026-10-06 11:00', '2026-10-06 13:00', 30),
  (4, 3, 2, 2, NULL, 'phone', '2026-11-07 10:00', NULL, NULL, 40);
INSERT INTO trips VALUES (1, 1, '2026-10-05', '11:00', '11:30', 100, 10, 65), (2, 1, '2026-10-06', '11:00', '10:50', 100, 30, NULL), (3, 2, '2026-11-07', '12:00', '12:20', 50, 5, 61), (4, 2, '2026-11-08', '12:00', NULL, 50, 0, 70);
INSERT INTO bills VALUES ('B1', 1, '2026-10-01', '2026-10-15', '2026-10-20', 100), ('B2', 2, '2026-10-02', '2026-10-16', NULL, 50), ('B3', 3, '2026-11-03', '2026-12-01', '2026-11-05', 70);
CREATE TABLE dishes (id INTEGER PRIMARY KEY, name TEXT NOT NULL, list_price REAL NOT NULL, prep_cost REAL NOT NULL);
CREATE TABLE plates (id INTEGER PRIMARY KEY, dish_id INTEGER NOT NULL REFERENCES dishes (id), price REAL NOT NULL, deposit_cents INTEGER NOT NULL);
INSERT INTO dishes VALUES (1, 'Soup', 5, 9), (2, 'Stew', 12, 2), (3, 'Tart', 4, 1);
INSERT INTO plates VALUES (1, 1, 4, 100), (2, 1, 5, 100), (3, 2, 9, 100);
