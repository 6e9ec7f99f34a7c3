CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR(40), email VARCHAR(60), country VARCHAR(2), created_at TIMESTAMP, attrs {json});
INSERT INTO customers VALUES (1,'Ada','ada@x.org','DE','2025-01-05 10:00:00','{{"tier":"gold","langs":["de","en"]}}'),(2,'Bo','bo@y.com','US','2025-03-17 08:30:00','{{"tier":"silver","langs":["en"]}}'),(3,'Cy',NULL,'DE','2026-02-01 23:59:59','{{"tier":"gold","langs":[]}}');
CREATE TABLE products (id INTEGER PRIMARY KEY, name VARCHAR(40), category VARCHAR(20), price DECIMAL(10,2));
INSERT INTO products VALUES (1,'Lamp','home',19.90),(2,'Desk','home',249.00),(3,'Pen','office',1.20),(4,'Pad','office',3.50);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status VARCHAR(10), ordered_at TIMESTAMP, note VARCHAR(80));
INSERT INTO orders VALUES (1,1,'paid','2026-01-03 09:00:00','gift'),(2,1,'open','2026-02-14 12:00:00',NULL),(3,2,'paid','2026-02-28 18:45:00','a,b;c'),(4,3,'void','2026-03-31 00:00:00','late'),(5,2,'paid','2026-10-02 07:15:00','x y z');
CREATE TABLE items (order_id INTEGER, product_id INTEGER, qty INTEGER, price DECIMAL(10,2));
INSERT INTO items VALUES (1,1,2,19.90),(1,3,10,1.20),(2,2,1,249.00),(3,3,100,1.00),(4,4,5,3.50),(5,1,1,18.00),(5,4,2,3.25);
