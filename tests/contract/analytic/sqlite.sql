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
SELECT strftime('%Y-W%W', o.ordered_at) AS week, sum(i.qty * i.price) AS revenue FROM orders o JOIN items i ON i.order_id = o.id GROUP BY week ORDER BY week
SELECT strftime('%Y', ordered_at) || '-Q' || ((CAST(strftime('%m', ordered_at) AS INTEGER) + 2) / 3) AS q, count(*) FROM orders GROUP BY q ORDER BY q
WITH RECURSIVE months(m) AS (SELECT '2026-01-01' UNION ALL SELECT date(m, '+1 month') FROM months WHERE m < '2026-10-01') SELECT m, count(o.id) AS n FROM months LEFT JOIN orders o ON strftime('%Y-%m', o.ordered_at) = strftime('%Y-%m', m) GROUP BY m ORDER BY m
SELECT c.name, sum(CASE o.status WHEN 'paid' THEN 1 ELSE 0 END) AS paid, sum(o.status = 'open') AS unpaid, avg(o.status = 'paid') AS rate FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY c.name
SELECT name, json_extract(attrs, '$.langs[0]') AS first, attrs -> '$.langs' AS langs, json_type(attrs, '$.langs') AS t FROM customers ORDER BY id
SELECT e.value AS lang, count(*) AS n FROM customers, json_each(attrs, '$.langs') AS e GROUP BY e.value ORDER BY n DESC, lang
SELECT t.fullkey, t.type, t.atom FROM customers c, json_tree(c.attrs) t WHERE c.id = 1 ORDER BY t.id
SELECT julianday(ordered_at) - julianday(lag(ordered_at) OVER (PARTITION BY customer_id ORDER BY ordered_at)) AS gap FROM orders ORDER BY id
SELECT category, max(price), name FROM products GROUP BY category ORDER BY category
SELECT category, group_concat(name, ', ') FILTER (WHERE price > 2) AS dear, count(*) FILTER (WHERE price <= 2) AS cheap FROM products GROUP BY category ORDER BY category
SELECT date(ordered_at, 'weekday 0', '-6 days') AS monday, count(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT id, CASE strftime('%w', ordered_at) WHEN '0' THEN 'Sun' WHEN '6' THEN 'Sat' ELSE 'work' END AS d FROM orders ORDER BY id
SELECT substr(email, instr(email, '@') + 1) AS host, count(*) FROM customers WHERE email IS NOT NULL GROUP BY host ORDER BY host
SELECT name, price, round(100.0 * price / sum(price) OVER (), 1) AS pct, sum(price) OVER (ORDER BY price DESC RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS cum FROM products ORDER BY price DESC
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY ordered_at DESC) AS rn FROM orders) WHERE rn = 1 ORDER BY id
SELECT p.name, total(i.qty) AS n FROM products p LEFT JOIN items i ON i.product_id = p.id GROUP BY p.id HAVING n >= 0 ORDER BY n DESC, p.name
SELECT count(DISTINCT customer_id) AS customers, count(*) * 1.0 / count(DISTINCT customer_id) AS per FROM orders WHERE ordered_at >= date('2026-10-05', '-1 year')
SELECT upper(substr(name, 1, 1)) || lower(substr(name, 2)) AS n, length(name), replace(name, 'e', '3'), trim(name, 'L') FROM products ORDER BY id
SELECT printf('%,d', 1234567) AS big, printf('%05.1f', price) AS p, CAST(price AS TEXT) AS t, typeof(price) FROM products ORDER BY id
SELECT id FROM orders WHERE (customer_id, status) IN (VALUES (1, 'paid'), (2, 'paid')) ORDER BY id
SELECT c.name, (SELECT json_group_array(json_object('id', o.id, 'status', o.status)) FROM (SELECT * FROM orders WHERE customer_id = c.id ORDER BY id) o) AS orders FROM customers c ORDER BY c.id
SELECT nullif(note, '') IS NULL AS empty, count(*) FROM orders GROUP BY empty ORDER BY empty
SELECT ntile(2) OVER w AS half, cume_dist() OVER w AS cd, lead(name, 1, '-') OVER w AS nxt FROM products WINDOW w AS (ORDER BY price) ORDER BY price
SELECT iif(price > 10, 'dear', iif(price > 2, 'mid', 'cheap')) AS tier, count(*), round(avg(price), 2), min(name) FROM products GROUP BY tier ORDER BY tier
SELECT a.id, b.id FROM orders a LEFT JOIN orders b ON b.customer_id = a.customer_id AND b.id > a.id WHERE b.id IS NULL ORDER BY a.id
SELECT o.id, sum(i.qty * i.price) AS t, rank() OVER (ORDER BY sum(i.qty * i.price) DESC) AS r FROM orders o JOIN items i ON i.order_id = o.id GROUP BY o.id ORDER BY r
SELECT id, ordered_at FROM orders WHERE ordered_at LIKE '2026-02%' OR date(ordered_at) = '2026-10-02' ORDER BY ordered_at DESC
SELECT x.value AS word FROM orders o, json_each('["' || replace(o.note, ' ', '","') || '"]') x WHERE o.note NOT LIKE '%;%' ORDER BY 1
SELECT sqrt(16), pow(2, 8), ceil(1.2), floor(1.8), mod(7, 3), ln(1), sign(-3), 7 / 2, 7 / 2.0, 0x1F AS h, 1e3 AS e
SELECT min(ordered_at), max(ordered_at), cast(julianday(max(ordered_at)) - julianday(min(ordered_at)) AS int) AS span FROM orders
SELECT id FROM orders WHERE + id = '1' OR id = '2' ORDER BY id
