SELECT date_trunc('month', ordered_at) AS m, count(*) AS n FROM orders GROUP BY ALL ORDER BY ALL
FROM orders SELECT status, count(*) AS n GROUP BY status ORDER BY n DESC, status
SELECT * EXCLUDE (email, attrs) FROM customers ORDER BY id
SELECT * REPLACE (round(price) AS price) FROM products ORDER BY id
SELECT customer_id, arg_max(status, ordered_at) AS latest, max_by(id, ordered_at) FROM orders GROUP BY customer_id ORDER BY 1
SELECT category, list(name ORDER BY price) AS names, list(price ORDER BY price)[1] AS cheapest FROM products GROUP BY category ORDER BY 1
SELECT name, quantile_cont(price, 0.5) OVER (PARTITION BY category) AS med FROM products ORDER BY id
PIVOT orders ON status IN ('paid', 'open') USING count(*) GROUP BY customer_id ORDER BY customer_id
SELECT * FROM (PIVOT products ON category IN ('home', 'office') USING sum(price) GROUP BY name) ORDER BY name
UNPIVOT (SELECT id, price, id * 2 AS twice FROM products) ON price, twice INTO NAME what VALUE amount ORDER BY id, what
SELECT id, status FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY ordered_at DESC) = 1 ORDER BY id
SELECT strftime(ordered_at, '%Y-%m') AS month, count() AS n FROM orders GROUP BY month ORDER BY month
SELECT unnest([1, 2, 3]) AS x, unnest(['a', 'b', 'c']) AS y
SELECT list_transform([1, 2, 3], x -> x * 2) AS doubled, list_filter([1, 2, 3], x -> x > 1) AS big
SELECT [x * 2 FOR x IN [1, 2, 3] IF x > 1] AS made
SELECT {'a': 1, 'b': 'x'} AS s, {'a': 1}.a AS f, struct_pack(k := 2).k AS k
SELECT map(['a', 'b'], [1, 2])['a'] AS v, map_keys(map(['a'], [1])) AS k
SELECT attrs->>'$.tier' AS tier, json_array_length(attrs, '$.langs') AS n FROM customers ORDER BY id
SELECT c.name, o.id FROM customers c ASOF JOIN orders o ON c.id = o.customer_id AND c.created_at <= o.ordered_at ORDER BY 1
SELECT name FROM customers ANTI JOIN orders ON orders.customer_id = customers.id AND orders.status = 'open' ORDER BY name
SELECT name FROM customers SEMI JOIN orders ON orders.customer_id = customers.id AND orders.status = 'open' ORDER BY name
SELECT p.name, i.qty FROM products p POSITIONAL JOIN items i ORDER BY p.id
SELECT sum(price) FILTER (category = 'home') AS home FROM products
SELECT date_diff('day', min(ordered_at), max(ordered_at)) AS days, datepart('year', max(ordered_at)) AS y FROM orders
SELECT range AS d FROM range(DATE '2026-01-01', DATE '2026-01-04', INTERVAL 1 DAY)
SELECT time_bucket(INTERVAL '2 months', ordered_at) AS b, count(*) FROM orders GROUP BY b ORDER BY b
SELECT regexp_extract(email, '@(.*)$', 1) AS host, string_split(email, '@')[1] AS local FROM customers WHERE email IS NOT NULL ORDER BY id
SELECT name, price, lag(price, 1, 0) OVER (ORDER BY id) AS before, sum(price) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS s FROM products ORDER BY id
SELECT approx_count_distinct(status) > 0 AS some, histogram(qty) AS h, mode(qty) AS m FROM items, orders
SELECT COLUMNS('^(id|name)$') FROM products ORDER BY id
SELECT min(COLUMNS(* EXCLUDE (name, category))) FROM products
WITH t AS (SELECT *, price > 10 AS dear FROM products) SELECT dear, count(*) AS n, avg(price) AS a FROM t GROUP BY dear ORDER BY dear
SELECT id, name AS product, upper(product) AS loud FROM products WHERE product <> 'Pen' ORDER BY id
SELECT customer_id, count(*) AS n FROM orders GROUP BY customer_id HAVING n > 1 ORDER BY n DESC, customer_id
SELECT printf('%05.2f', price::DOUBLE) AS p, format('{:,}', 1234567) AS big, lpad(id::VARCHAR, 3, '0') AS i FROM products ORDER BY id
SELECT a, b FROM (SELECT 1 AS a, 2 AS b) UNION BY NAME SELECT 4 AS b, 3 AS a ORDER BY a
SELECT ifnull(email, 'none') AS e, name[1:2] AS two, name LIKE 'A%' AS a, email ILIKE '%X.ORG' AS x FROM customers ORDER BY id
SELECT t.i, count(*) FROM generate_series(1, 3) AS t(i) LEFT JOIN orders ON orders.customer_id = t.i GROUP BY t.i ORDER BY t.i
SELECT category, name, price, rank() OVER (PARTITION BY category ORDER BY price DESC) AS r FROM products WINDOW z AS (ORDER BY id) ORDER BY category, r
WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 12) SELECT n.k AS month, COUNT(o.id) AS orders FROM n LEFT JOIN orders o ON EXTRACT(MONTH FROM o.ordered_at) = n.k GROUP BY n.k ORDER BY n.k
