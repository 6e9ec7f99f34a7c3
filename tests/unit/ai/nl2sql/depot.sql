-- A wholesaler whose orders have no amount of their own: it stands in their lines.
CREATE TABLE departments (department_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, department_id INTEGER REFERENCES departments (department_id), mentor_id INTEGER REFERENCES employees (employee_id));
CREATE TABLE categories (category_id INTEGER PRIMARY KEY, name TEXT NOT NULL, lead_time_days INTEGER NOT NULL);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, name TEXT NOT NULL, category_id INTEGER REFERENCES categories (category_id), stock INTEGER NOT NULL, prescription_only INTEGER NOT NULL, launched TEXT NOT NULL);
CREATE TABLE orders (order_id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employees (employee_id), order_date TEXT NOT NULL, shipping_cost REAL NOT NULL);
CREATE TABLE order_items (order_item_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (order_id), product_id INTEGER REFERENCES products (product_id), quantity INTEGER NOT NULL, unit_price REAL NOT NULL);
CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders (order_id), amount REAL NOT NULL, method TEXT NOT NULL, paid_on TEXT NOT NULL);
INSERT INTO departments VALUES (1, 'Sales', 'Leeds'), (2, 'Logistics', 'Hull');
INSERT INTO employees VALUES (1, 'Anna', 'Walker', 1, NULL), (2, 'Priya', 'Shah', 1, 1), (3, 'Tom', 'Reed', 2, 1);
INSERT INTO categories VALUES (1, 'Vitamins', 4), (2, 'Antibiotics', 9);
INSERT INTO products VALUES (1, 'Zinc', 1, 0, 0, '2020-01-01'), (2, 'Biotin', 1, 7, 0, '2026-11-05'), (3, 'Doxycycline', 2, 9, 1, '2019-02-02');
INSERT INTO orders VALUES (1, 1, '2026-10-02', 9.0), (2, 2, '2026-11-03', 1.0), (3, 1, '2026-11-09', 5.0);
INSERT INTO order_items VALUES (1, 1, 1, 10, 2.0), (2, 1, 3, 1, 30.0), (3, 2, 2, 100, 4.0), (4, 3, 1, 1, 2.0);
INSERT INTO payments VALUES (1, 1, 50.0, 'card', '2026-10-05'), (2, 2, 400.0, 'card', '2026-11-05');
