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
SELECT DATE_FORMAT(o.ordered_at, '%x-W%v') AS week, SUM(i.qty * i.price) AS revenue FROM orders o INNER JOIN items i ON i.order_id = o.id GROUP BY 1 ORDER BY 1
SELECT c.country, COUNT(DISTINCT c.id) AS customers, COUNT(o.id) AS orders, COUNT(o.id) / COUNT(DISTINCT c.id) AS per FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.country WITH ROLLUP
SELECT DATE(ordered_at) AS d, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY DATE(ordered_at)) AS running FROM orders GROUP BY DATE(ordered_at) ORDER BY d
SELECT MONTHNAME(ordered_at) AS m, YEAR(ordered_at) AS y, COUNT(*) FROM orders GROUP BY y, m ORDER BY MIN(ordered_at)
WITH RECURSIVE d AS (SELECT DATE('2026-01-01') AS day UNION ALL SELECT day + INTERVAL 1 DAY FROM d WHERE day < '2026-01-07') SELECT d.day, COUNT(o.id) AS n FROM d LEFT JOIN orders o ON DATE(o.ordered_at) = d.day GROUP BY d.day ORDER BY d.day
SELECT name, JSON_UNQUOTE(JSON_EXTRACT(attrs, '$.langs[0]')) AS lang, JSON_CONTAINS(attrs, '"de"', '$.langs') AS german, JSON_KEYS(attrs) AS k, JSON_VALID(attrs) AS v FROM customers ORDER BY id
SELECT j.tier, COUNT(*) FROM customers c CROSS JOIN JSON_TABLE(c.attrs, '$' COLUMNS (tier VARCHAR(10) PATH '$.tier', NESTED PATH '$.langs[*]' COLUMNS (lang VARCHAR(4) PATH '$'))) AS j GROUP BY j.tier ORDER BY 1
SELECT id, REGEXP_REPLACE(note, '[^a-z]', '') AS clean, REGEXP_SUBSTR(note, '[a-z]+') AS w, note RLIKE '^g' AS g, REGEXP_INSTR(note, 'e') AS at FROM orders ORDER BY id
SELECT SUM(IF(status = 'paid', 1, 0)) AS paid, SUM(status <> 'paid') AS other, AVG(status = 'paid') * 100 AS rate FROM orders
SELECT SUBSTRING_INDEX(SUBSTRING_INDEX(email, '@', -1), '.', 1) AS host, COUNT(*) AS n FROM customers WHERE email LIKE '%@%' GROUP BY host ORDER BY n DESC, host
SELECT o.id, TIMESTAMPDIFF(DAY, LAG(o.ordered_at) OVER (PARTITION BY o.customer_id ORDER BY o.ordered_at), o.ordered_at) AS gap FROM orders o ORDER BY o.id
SELECT p.category, GROUP_CONCAT(p.name ORDER BY p.price DESC SEPARATOR ', ') AS names, MAX(p.price) - MIN(p.price) AS spread FROM products p GROUP BY p.category ORDER BY 1
SELECT id FROM orders WHERE ordered_at >= '2026-01-01' AND ordered_at < DATE_ADD('2026-01-01', INTERVAL 3 MONTH) ORDER BY id
SELECT id FROM orders WHERE ordered_at BETWEEN CURDATE() - INTERVAL 20 YEAR AND NOW() ORDER BY id DESC
SELECT QUARTER(ordered_at) AS q, STDDEV_POP(id), VARIANCE(id), COUNT(*) FROM orders GROUP BY q HAVING COUNT(*) > 1 ORDER BY q
SELECT CONCAT(UPPER(LEFT(name, 1)), LOWER(SUBSTRING(name, 2))) AS n, CHAR_LENGTH(name) AS l, LOCATE('e', name) AS e, RPAD(name, 6, '.') AS r, TRIM(LEADING 'L' FROM name) AS t FROM products ORDER BY id
SELECT CAST(price AS DECIMAL(10,1)) AS p, ROUND(price, -1) AS r, TRUNCATE(price, 1) AS t, CEIL(price) AS c, FLOOR(price) AS f, MOD(id, 2) AS m FROM products ORDER BY id
SELECT CASE WHEN price < 5 THEN 'low' WHEN price < 50 THEN 'mid' ELSE 'high' END AS band, COUNT(*) AS `count`, AVG(price) AS `avg price` FROM products GROUP BY band ORDER BY `avg price`
SELECT c.name, (SELECT o.status FROM orders o WHERE o.customer_id = c.id ORDER BY o.ordered_at DESC LIMIT 1) AS latest FROM customers c ORDER BY c.id
SELECT * FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY ordered_at DESC) AS rn FROM orders o) t WHERE rn = 1 ORDER BY id
SELECT DAYOFWEEK(ordered_at) AS dow, DAYOFYEAR(ordered_at) AS doy, WEEKOFYEAR(ordered_at) AS w, TIME(ordered_at) AS t, DATE_FORMAT(ordered_at, '%H:00') AS h FROM orders ORDER BY id
SELECT STR_TO_DATE(CONCAT(DATE_FORMAT(ordered_at, '%Y-%m'), '-01'), '%Y-%m-%d') AS month, COUNT(*) FROM orders GROUP BY month ORDER BY month
SELECT LAST_DAY(ordered_at) AS eom, DATEDIFF(LAST_DAY(ordered_at), ordered_at) AS leftover, EXTRACT(DAY FROM ordered_at) AS d FROM orders ORDER BY id
SELECT NTH_VALUE(name, 2) OVER (ORDER BY price) AS second, FIRST_VALUE(name) OVER (PARTITION BY category ORDER BY price DESC) AS top FROM products ORDER BY id
SELECT a.category, a.total, 100 * a.total / b.total AS pct FROM (SELECT category, SUM(price) AS total FROM products GROUP BY category) a CROSS JOIN (SELECT SUM(price) AS total FROM products) b ORDER BY 1
SELECT COALESCE(category, 'TOTAL') AS category, SUM(price) FROM products GROUP BY category WITH ROLLUP
SELECT BIT_AND(qty), BIT_XOR(qty), JSON_ARRAYAGG(qty), GREATEST(1, 5), LEAST(2, 3), INTERVAL(5, 1, 10) FROM items
SELECT name FROM products WHERE name LIKE 'P\_%' OR name LIKE '%\%%' OR name NOT REGEXP '[0-9]' ORDER BY name
SELECT p1.name, COUNT(p2.id) AS dearer FROM products p1 LEFT JOIN products p2 ON p2.price > p1.price GROUP BY p1.id, p1.name ORDER BY dearer, p1.name
(SELECT id, status FROM orders WHERE status = 'paid' ORDER BY id LIMIT 1) UNION ALL (SELECT id, status FROM orders WHERE status = 'open' ORDER BY id LIMIT 1)
SELECT id FROM orders WHERE customer_id IN (SELECT customer_id FROM orders GROUP BY customer_id HAVING COUNT(*) > 1) AND NOT status <=> 'void' ORDER BY id LIMIT 3 OFFSET 1
SELECT ordered_at, UNIX_TIMESTAMP(ordered_at) DIV 86400 AS day, SEC_TO_TIME(3661) AS t, MAKETIME(1, 2, 3) AS mt, PERIOD_DIFF(202603, 202601) AS p, TO_DAYS(ordered_at) AS td FROM orders ORDER BY id
SELECT status, COUNT(*) AS n FROM orders FORCE INDEX FOR ORDER BY (PRIMARY) GROUP BY status ORDER BY n DESC, status
SELECT id, note, IFNULL(NULLIF(note, ''), 'none') AS n, COALESCE(note, status, 'x') AS c, ISNULL(note) AS isn, note IS NULL AS nn FROM orders ORDER BY ISNULL(note), note
SELECT CONVERT_TZ(ordered_at, '+00:00', '+02:00') AS local, ADDDATE(ordered_at, 3) AS a, SUBDATE(ordered_at, INTERVAL 1 WEEK) AS s, DATE_FORMAT(ordered_at, '%W %D %M') AS f FROM orders ORDER BY id
SELECT TIME '10:00:00.5' AS t, TIMESTAMP '2026-11-23 10:00:00.5' AS s, BINARY 'a' = 'A' AS b, 2 * 0x1F AS n, HEX(0x1) AS h, INTERVAL 1 DAY + '2026-01-01' AS d, + '3' AS p
