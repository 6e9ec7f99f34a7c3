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
