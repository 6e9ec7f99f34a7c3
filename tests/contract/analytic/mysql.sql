SELECT DATE_FORMAT(ordered_at, '%Y-%m') AS month, COUNT(*) AS n FROM orders GROUP BY month ORDER BY month
SELECT YEAR(ordered_at) AS y, QUARTER(ordered_at) AS q, SUM(status = 'paid') AS paid FROM orders GROUP BY y, q WITH ROLLUP
SELECT GROUP_CONCAT(DISTINCT name ORDER BY price DESC SEPARATOR ' / ') AS names FROM products GROUP BY category
SELECT DATEDIFF('2026-11-01', ordered_at) AS days, TIMESTAMPDIFF(MONTH, ordered_at, '2026-11-01') AS months FROM orders ORDER BY id
SELECT DATE_ADD(ordered_at, INTERVAL 1 MONTH) AS due, DATE_SUB(ordered_at, INTERVAL 7 DAY) AS early, ordered_at + INTERVAL 1 HOUR AS later FROM orders ORDER BY id
SELECT IF(status = 'paid', 'yes', 'no') AS paid, IFNULL(note, '-') AS note, ELT(2, 'a', 'b') AS e, FIELD(status, 'open', 'paid') AS f FROM orders ORDER BY f, id
SELECT JSON_EXTRACT(attrs, '$.tier') AS t, JSON_UNQUOTE(JSON_EXTRACT(attrs, '$.tier')) AS u, JSON_LENGTH(attrs, '$.langs') AS n FROM customers ORDER BY id
SELECT JSON_VALUE(attrs, '$.tier') AS tier, COUNT(*) FROM customers GROUP BY tier ORDER BY tier
SELECT c.name, j.lang FROM customers c, JSON_TABLE(c.attrs, '$.langs[*]' COLUMNS (lang VARCHAR(5) PATH '$')) AS j ORDER BY 1, 2
SELECT SUBSTRING_INDEX(email, '@', -1) AS host, CONCAT_WS(' ', name, country) AS label, LPAD(id, 4, '0') AS code FROM customers ORDER BY id
SELECT name FROM products WHERE name REGEXP '^[LP]' ORDER BY name
SELECT name, price, ROW_NUMBER() OVER (PARTITION BY category ORDER BY price DESC) AS r FROM products ORDER BY category, r
SELECT STR_TO_DATE('31.12.2026', '%d.%m.%Y') AS d, LAST_DAY('2026-02-10') AS l, WEEKDAY('2026-11-23') AS w, DAYNAME('2026-11-23') AS n
SELECT COUNT(DISTINCT customer_id, status) AS pairs, STD(id) AS s, VAR_SAMP(id) AS v, BIT_OR(id) AS b FROM orders
SELECT o.id FROM orders o USE INDEX (PRIMARY) WHERE o.id BETWEEN 2 AND 4 ORDER BY o.id
SELECT CAST(price AS SIGNED) AS whole, CAST(price AS CHAR(10)) AS txt, CONVERT(price, DECIMAL(12, 1)) AS one, FORMAT(price * 1000, 2) AS f FROM products ORDER BY id
SELECT id, 7 DIV 2 AS d, 7 MOD 2 AS m, 7 % 4 AS p, id & 1 AS odd, !0 AS t, 1 XOR 0 AS x FROM products ORDER BY id
SELECT name, MEDIAN(price) OVER (PARTITION BY category) AS med, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY price) OVER (PARTITION BY category) AS pc FROM products ORDER BY id
SELECT status, COUNT(*) AS `number of orders` FROM orders GROUP BY status HAVING `number of orders` > 1
SELECT * FROM orders LIMIT 2, 2
SELECT CASE WHEN HOUR(ordered_at) < 12 THEN 'am' ELSE 'pm' END AS half, COUNT(*) FROM orders GROUP BY half ORDER BY half
SELECT UNIX_TIMESTAMP('2026-01-01') > 0 AS u, FROM_UNIXTIME(0) IS NOT NULL AS f, WEEK(ordered_at, 3) AS wk, YEARWEEK(ordered_at) AS yw FROM orders ORDER BY id
SELECT a.id, b.id AS next FROM orders a LEFT JOIN orders b ON b.id = a.id + 1 WHERE b.id <=> NULL OR b.status <=> a.status ORDER BY a.id
SELECT RTRIM(LTRIM('  a ')) AS t, REPEAT('ab', 2) AS r, REVERSE(name) AS v, INSTR(name, 'a') AS i, LOCATE('a', name, 2) AS l, STRCMP('a', 'b') AS s FROM customers ORDER BY id
SELECT (SELECT MAX(price) FROM products) AS m UNION SELECT MIN(price) FROM products ORDER BY m
SELECT id, LEAD(ordered_at, 1) OVER (ORDER BY ordered_at) AS nxt, CUME_DIST() OVER (ORDER BY id) AS c, PERCENT_RANK() OVER (ORDER BY id) AS p FROM orders ORDER BY id
SELECT "double" AS quoted, 'it''s' AS single, 'back\\slash' AS b, N'nat' AS n, _utf8mb4'x' AS u, X'4D' AS h, 0x4D AS z, b'101' AS bits
SELECT p.category, t.n FROM products p STRAIGHT_JOIN (SELECT COUNT(*) AS n FROM items) t ORDER BY p.id
SELECT TIMEDIFF('10:00:00', '08:30:00') AS d, TIME_TO_SEC('01:00:00') AS s, MAKEDATE(2026, 60) AS m, EXTRACT(YEAR_MONTH FROM ordered_at) AS ym FROM orders ORDER BY id
WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 12) SELECT n.k AS month, COUNT(o.id) AS orders FROM n LEFT JOIN orders o ON EXTRACT(MONTH FROM o.ordered_at) = n.k GROUP BY n.k ORDER BY n.k
