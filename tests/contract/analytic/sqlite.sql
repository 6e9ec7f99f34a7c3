SELECT strftime('%Y-%m', ordered_at) AS month, count(*) FROM orders GROUP BY month ORDER BY month
SELECT date(ordered_at, 'start of month', '+1 month', '-1 day') AS last_day FROM orders ORDER BY id
SELECT julianday('2026-11-01') - julianday(ordered_at) AS days FROM orders ORDER BY id
SELECT json_extract(attrs, '$.tier') AS tier, attrs ->> '$.langs[0]' AS lang, json_array_length(attrs, '$.langs') AS n FROM customers ORDER BY id
SELECT c.name, j.value FROM customers c, json_each(c.attrs, '$.langs') AS j ORDER BY 1, 2
SELECT group_concat(name, '; ') AS names, total(price) AS t FROM products GROUP BY category ORDER BY category
SELECT iif(price > 10, 'dear', 'cheap') AS c, count(*) FROM products GROUP BY 1 ORDER BY 1
SELECT printf('%.2f', price) AS p, format('%05d', id) AS i, substr(name, -2) AS tail, instr(name, 'a') AS a FROM products ORDER BY id
SELECT name, price, sum(price) OVER (ORDER BY id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) AS s FROM products ORDER BY id
SELECT count(*) FILTER (WHERE status = 'paid') AS paid, max(ordered_at) FROM orders
SELECT typeof(price), CAST(price AS INTEGER), price || ' EUR', abs(-price), round(price, 1) FROM products ORDER BY id
SELECT name FROM customers WHERE name GLOB '[A-B]*' OR name LIKE 'c%' ESCAPE '\' ORDER BY name COLLATE NOCASE DESC
SELECT id FROM orders WHERE note IS NOT NULL AND note IS NOT 'late' ORDER BY id DESC LIMIT 2 OFFSET 1
SELECT unixepoch(ordered_at) AS u, datetime(ordered_at, '+2 hours') AS d, time(ordered_at) AS t, strftime('%w', ordered_at) AS w FROM orders ORDER BY id
WITH RECURSIVE days(d) AS (VALUES ('2026-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2026-01-05') SELECT d, (SELECT count(*) FROM orders WHERE date(ordered_at) = d) AS n FROM days
SELECT customer_id, max(ordered_at), status FROM orders GROUP BY customer_id ORDER BY 1
VALUES (1, 'a'), (2, 'b')
SELECT coalesce(email, ifnull(name, '')) AS e, nullif(country, 'US') AS c, hex(name) AS h, quote(name) AS q, unicode(name) AS u FROM customers ORDER BY id
SELECT * FROM orders NATURAL JOIN (SELECT 1 AS id) AS one
SELECT o.id, i.qty FROM orders o LEFT JOIN items i ON i.order_id = o.id AND i.qty > 5 ORDER BY 1, 2
SELECT id, row_number() OVER win AS r, ntile(2) OVER win AS t FROM orders WINDOW win AS (ORDER BY ordered_at DESC) ORDER BY id
SELECT json_group_array(name) AS a, json_group_object(name, price) AS o FROM products
SELECT 1 IN (1, 2) AS a, 5 BETWEEN 1 AND 9 AS b, 7 % 3 AS m, 5 & 3 AS n, ~1 AS t, 1 << 3 AS s, NOT 0 AS z, 3 <> 4 AS d, 'a' == 'a' AS e
SELECT name FROM products EXCEPT SELECT name FROM products WHERE category = 'home' INTERSECT SELECT name FROM products ORDER BY name
SELECT m.name FROM products m WHERE price = (SELECT max(price) FROM products WHERE category = m.category) ORDER BY 1
SELECT replace(name, 'a', 'o'), ltrim('xxa', 'x'), char(65, 66), length(name), lower(name), round(2.5), min(1, 2), max(1, 2, 3) FROM products ORDER BY id
