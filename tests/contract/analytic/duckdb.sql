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
SELECT string_agg(DISTINCT status, '|') AS s, count(DISTINCT (status, customer_id)) AS p FROM orders
SELECT id FROM orders WHERE status = ANY(['paid', 'open']) AND id <> ALL([4]) AND id > SOME(SELECT 1) ORDER BY id
SELECT status, count(*) AS n, n / sum(n) OVER () AS share FROM orders GROUP BY status ORDER BY status
FROM products ORDER BY id LIMIT 2
FROM (FROM orders SELECT customer_id, max(ordered_at) AS latest GROUP BY ALL) ORDER BY ALL
SELECT country, string_agg(name, ', ' ORDER BY name) AS names, list(name ORDER BY id) AS l FROM customers GROUP BY country ORDER BY country
SELECT date_trunc('month', ordered_at)::DATE AS m, sum(qty * price) AS rev, rev - lag(rev) OVER (ORDER BY m) AS delta FROM orders JOIN items ON order_id = id GROUP BY m ORDER BY m
PIVOT (SELECT customer_id, status, 1 AS one FROM orders) ON status USING sum(one) GROUP BY customer_id ORDER BY customer_id
PIVOT orders ON status USING count(*) GROUP BY customer_id ORDER BY customer_id
UNPIVOT (SELECT id, price::DOUBLE AS p, (price * 2)::DOUBLE AS q FROM products) ON COLUMNS(* EXCLUDE (id)) INTO NAME k VALUE v ORDER BY id, k
SELECT * FROM products UNPIVOT (v FOR k IN (price)) ORDER BY id
SELECT name, attrs->'$.langs' AS langs, json_extract_string(attrs, '$.tier') AS tier, attrs.tier FROM customers ORDER BY id
SELECT name, unnest(from_json(attrs->'$.langs', '["VARCHAR"]')) AS lang FROM customers ORDER BY 1, 2
SELECT name, unnest(CAST(attrs->'$.langs' AS VARCHAR[])) AS lang FROM customers ORDER BY 1, 2
SELECT id FROM orders WHERE ordered_at BETWEEN '2026-01-01' AND '2026-03-01'::TIMESTAMP - INTERVAL 1 DAY ORDER BY id
SELECT year(ordered_at) AS y, month(ordered_at) AS m, dayname(ordered_at) AS d, count(*) FROM orders GROUP BY ALL ORDER BY ALL
SELECT category, median(price) AS med, quantile_disc(price, [0.25, 0.75]) AS q, mad(price), stddev(price) FROM products GROUP BY category ORDER BY category
SELECT customer_id, first(status ORDER BY ordered_at) AS f, last(status ORDER BY ordered_at) AS l, arg_min(id, ordered_at) AS a FROM orders GROUP BY customer_id ORDER BY 1
SELECT * FROM orders QUALIFY rank() OVER (PARTITION BY status ORDER BY ordered_at DESC) = 1 ORDER BY id
SELECT name, price, avg(price) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS ma FROM products ORDER BY id
SELECT g.m, coalesce(count(o.id), 0) AS n FROM (SELECT unnest(generate_series(DATE '2026-01-01', DATE '2026-04-01', INTERVAL 1 MONTH)) AS m) g LEFT JOIN orders o ON date_trunc('month', o.ordered_at) = g.m GROUP BY g.m ORDER BY g.m
SELECT p.category, sum(i.qty) FILTER (o.status = 'paid') AS paid, sum(i.qty) FILTER (WHERE o.status <> 'paid') AS rest FROM items i JOIN orders o ON o.id = i.order_id JOIN products p ON p.id = i.product_id GROUP BY ROLLUP (p.category) ORDER BY p.category NULLS LAST
SELECT category, name, sum(price), grouping_id(category, name) AS g FROM products GROUP BY GROUPING SETS ((category, name), (category), ()) ORDER BY g, 1, 2
SELECT c.name, o.* EXCLUDE (customer_id, note) FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY o.id
SELECT c.name, t.n FROM customers c, LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) t ORDER BY 1
SELECT regexp_extract_all(note, '[a-z]+') AS words, regexp_replace(note, '\s', '_', 'g') AS u, regexp_matches(note, '^g') AS g FROM orders ORDER BY id
SELECT list_aggregate([1, 2, 3], 'sum') AS s, list_sort([3, 1]) AS t, array_slice([1, 2, 3], 1, 2) AS u, len([1]) AS l, list_contains([1], 1) AS c, flatten([[1], [2]]) AS f, list_distinct([1, 1]) AS d
SELECT list_reduce([1, 2, 3], (a, b) -> a + b) AS total, list_transform(range(3), lambda x : x + 1) AS t
SELECT struct_extract({'a': 1}, 'a') AS a, s.b FROM (SELECT {'b': 2} AS s)
SELECT id, epoch(ordered_at) AS e, strptime('2026-01-05', '%Y-%m-%d') AS d, ordered_at::DATE - DATE '2026-01-01' AS n, age(TIMESTAMP '2026-12-31', ordered_at) AS a FROM orders ORDER BY id
SELECT name, name.upper() AS u, name.lower().substr(1, 2) AS s FROM products ORDER BY id
SELECT sum(qty * price)::DECIMAL(12,2) AS total, count(DISTINCT order_id) AS orders, total / orders AS aov FROM items
SELECT a.id, b.id FROM orders a ASOF LEFT JOIN orders b ON a.customer_id = b.customer_id AND a.ordered_at > b.ordered_at ORDER BY a.id
SELECT any_value(name), bool_and(price > 1), bit_xor(id), product(id), entropy(category), skewness(price), kurtosis(price) FROM products
SELECT CASE WHEN price > 100 THEN 'dear' ELSE 'cheap' END AS tier, count(*), min(name) FROM products GROUP BY tier HAVING count(*) > 0 ORDER BY tier
WITH base AS MATERIALIZED (SELECT customer_id, ordered_at, lag(ordered_at) OVER w AS prev FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY ordered_at)) SELECT customer_id, avg(date_diff('day', prev, ordered_at)) AS gap FROM base WHERE prev IS NOT NULL GROUP BY customer_id ORDER BY 1
SELECT id, TRY_CAST(note AS INTEGER) AS n, note IS DISTINCT FROM 'gift' AS d, ifnull(note, '-'), coalesce(note, status) FROM orders ORDER BY id
SELECT extract('dow' FROM ordered_at) AS d, date_part(['year', 'month'], ordered_at) AS parts FROM orders ORDER BY id
SELECT name, price FROM products ORDER BY price DESC NULLS LAST, name COLLATE NOCASE LIMIT 50%
SELECT count(*) FROM orders SEMI JOIN items ON items.order_id = orders.id AND items.qty > 5
SELECT * FROM products USING SAMPLE 100% ORDER BY id
SELECT max(price, 2) AS top2, min_by(name, price, 2) AS m FROM products
SELECT INTERVAL '1 day ago' AS a, INTERVAL 3 MONTH AS m, (INTERVAL '1.5' HOUR)::VARCHAR AS h, CAST(.5 AS VARCHAR) AS p, DATE '2026-11-23'::VARCHAR AS d
SELECT id, note ~ 'gi', note ~ 'g.*', note !~ 'x', regexp_matches(note, 'gi') FROM orders ORDER BY id
SELECT id, first_value(note IGNORE NULLS) OVER (ORDER BY id DESC) AS f, lag(note, 1, '-' IGNORE NULLS) OVER (ORDER BY id) AS p, last_value(note RESPECT NULLS) OVER (ORDER BY id) AS l FROM orders ORDER BY id
