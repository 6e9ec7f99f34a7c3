WITH r AS (SELECT o.customer_id, SUM(i.qty * i.price) AS spend FROM orders o JOIN items i ON i.order_id = o.id WHERE o.status <> 'void' GROUP BY o.customer_id) SELECT c.name, r.spend, RANK() OVER (ORDER BY r.spend DESC) AS place FROM r JOIN customers c ON c.id = r.customer_id ORDER BY place
SELECT category, COUNT(*) AS n, AVG(price) AS average, MAX(price) - MIN(price) AS spread FROM products GROUP BY category HAVING COUNT(*) > 1 ORDER BY average DESC
SELECT c.country, SUM(CASE WHEN o.status = 'paid' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) AS paid_pct FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.country ORDER BY 1
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE status = 'open') ORDER BY name
SELECT o.id, (SELECT SUM(qty) FROM items WHERE items.order_id = o.id) AS units FROM orders o WHERE EXISTS (SELECT 1 FROM items WHERE order_id = o.id AND qty >= 10) ORDER BY o.id
SELECT customer_id, ordered_at, LAG(ordered_at) OVER (PARTITION BY customer_id ORDER BY ordered_at) AS previous FROM orders ORDER BY customer_id, ordered_at
SELECT id, status, SUM(1) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS near FROM orders ORDER BY id
SELECT 'new' AS kind, COUNT(*) AS n FROM customers WHERE created_at >= '2026-01-01' UNION ALL SELECT 'old', COUNT(*) FROM customers WHERE created_at < '2026-01-01' ORDER BY kind
SELECT a.name, b.name AS other FROM products a JOIN products b ON a.category = b.category AND a.id < b.id ORDER BY a.id, b.id
SELECT DISTINCT p.category FROM products p JOIN items i ON i.product_id = p.id JOIN orders o ON o.id = i.order_id JOIN customers c ON c.id = o.customer_id WHERE c.country = 'DE' ORDER BY p.category
SELECT COALESCE(NULLIF(TRIM(note), ''), 'no note') AS note, LENGTH(COALESCE(note, '')) AS len FROM orders ORDER BY id
SELECT UPPER(SUBSTR(name, 1, 1)) AS initial, COUNT(*) FROM products GROUP BY UPPER(SUBSTR(name, 1, 1)) ORDER BY 1
SELECT q.bucket, COUNT(*) AS n FROM (SELECT NTILE(2) OVER (ORDER BY price) AS bucket FROM products) q GROUP BY q.bucket ORDER BY q.bucket
SELECT status, COUNT(*) AS n, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS share FROM orders GROUP BY status ORDER BY n DESC, status
SELECT customer_id, FIRST_VALUE(status) OVER w AS first_status, LAST_VALUE(status) OVER w AS last_status FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY customer_id, id
SELECT name, CASE category WHEN 'home' THEN 'H' WHEN 'office' THEN 'O' ELSE '?' END AS letter, price * 1.19 AS gross FROM products ORDER BY gross DESC LIMIT 3 OFFSET 1
SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS t ORDER BY 1
SELECT id FROM orders WHERE (customer_id, status) IN (SELECT customer_id, 'paid' FROM orders WHERE status = 'open') ORDER BY id
SELECT c.name FROM customers c WHERE c.email IS NULL OR c.email NOT LIKE '%@%.com' ORDER BY c.name
SELECT customer_id, COUNT(*) AS n, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS pct FROM orders GROUP BY customer_id ORDER BY customer_id
SELECT name, price, RANK() OVER (ORDER BY price DESC) AS r, LAG(price) OVER (ORDER BY price DESC) - price AS gap FROM products ORDER BY r
WITH sales AS (SELECT o.customer_id, SUM(i.qty * i.price) AS total FROM orders o JOIN items i ON i.order_id = o.id WHERE o.status <> 'void' GROUP BY o.customer_id), ranked AS (SELECT s.*, RANK() OVER (ORDER BY total DESC) AS pos FROM sales s) SELECT c.name, r.total, r.pos FROM ranked r JOIN customers c ON c.id = r.customer_id WHERE r.pos <= 2 ORDER BY r.pos
SELECT c.country, SUM(CASE WHEN o.status = 'paid' THEN 1 ELSE 0 END) AS paid, SUM(CASE WHEN o.status = 'open' THEN 1 ELSE 0 END) AS still_open, SUM(CASE WHEN o.status = 'void' THEN 1 ELSE 0 END) AS voided FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.country ORDER BY c.country
SELECT p.name FROM products p WHERE NOT EXISTS (SELECT 1 FROM items i JOIN orders o ON o.id = i.order_id WHERE i.product_id = p.id AND o.status = 'paid') ORDER BY p.name
SELECT a.id, b.id AS later FROM orders a JOIN orders b ON a.customer_id = b.customer_id AND a.ordered_at < b.ordered_at ORDER BY a.id, b.id
WITH firsts AS (SELECT customer_id, MIN(ordered_at) AS first_at FROM orders GROUP BY customer_id) SELECT COUNT(*) AS returning_customers FROM firsts f WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = f.customer_id AND o.ordered_at > f.first_at)
SELECT order_id, qty, price, qty * price AS line, SUM(qty * price) OVER (PARTITION BY order_id ORDER BY product_id ROWS UNBOUNDED PRECEDING) AS running FROM items ORDER BY order_id, product_id
SELECT category, name, price FROM (SELECT category, name, price, DENSE_RANK() OVER (PARTITION BY category ORDER BY price DESC) AS d FROM products) t WHERE d = 1 ORDER BY category
SELECT COALESCE(c.email, 'unknown') AS mail, COUNT(o.id) AS n FROM customers c LEFT OUTER JOIN orders o ON c.id = o.customer_id AND o.status IN ('paid', 'open') GROUP BY COALESCE(c.email, 'unknown') HAVING COUNT(o.id) >= 0 ORDER BY n DESC, mail
SELECT 'total' AS label, SUM(qty) AS n FROM items UNION ALL SELECT p.name, SUM(i.qty) FROM items i JOIN products p ON p.id = i.product_id GROUP BY p.name ORDER BY n DESC, label
SELECT o.id, o.status, (SELECT SUM(i.qty * i.price) FROM items i WHERE i.order_id = o.id) AS worth, CASE WHEN (SELECT SUM(i.qty * i.price) FROM items i WHERE i.order_id = o.id) > 50 THEN 'big' ELSE 'small' END AS size FROM orders o ORDER BY o.id
SELECT x.bucket, COUNT(*) AS n, MIN(x.price) AS lo, MAX(x.price) AS hi FROM (SELECT price, NTILE(2) OVER (ORDER BY price) AS bucket FROM products) x GROUP BY x.bucket ORDER BY x.bucket
SELECT c1.name AS one, c2.name AS other FROM customers c1 JOIN customers c2 ON c1.country = c2.country AND c1.id < c2.id
SELECT status, AVG(n) AS mean FROM (SELECT o.status, o.id, COUNT(*) AS n FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.status, o.id) t GROUP BY status ORDER BY status
SELECT name FROM products WHERE (category, price) IN (SELECT category, MAX(price) FROM products GROUP BY category) ORDER BY name
