SELECT date_trunc('quarter', ordered_at)::date AS q, count(*) FILTER (WHERE status = 'paid') AS paid FROM orders GROUP BY 1 ORDER BY 1
SELECT c.name, x.n FROM customers c CROSS JOIN LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) x ORDER BY x.n DESC, c.name
SELECT attrs->>'tier' AS tier, jsonb_array_length(attrs->'langs') AS langs FROM customers ORDER BY id
SELECT c.name, l.lang FROM customers c, jsonb_array_elements_text(c.attrs->'langs') AS l(lang) ORDER BY 1, 2
SELECT d::date AS day, count(o.id) AS n FROM generate_series(timestamp '2026-01-01', timestamp '2026-01-07', interval '1 day') AS d LEFT JOIN orders o ON o.ordered_at::date = d::date GROUP BY d ORDER BY d
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY price) AS median, mode() WITHIN GROUP (ORDER BY category) AS usual FROM products
SELECT DISTINCT ON (customer_id) customer_id, id, ordered_at FROM orders ORDER BY customer_id, ordered_at DESC
SELECT string_agg(name, ', ' ORDER BY price DESC) AS names, array_agg(id ORDER BY id) AS ids FROM products GROUP BY category ORDER BY category
SELECT to_char(ordered_at, 'YYYY-MM') AS month, count(*) FROM orders GROUP BY to_char(ordered_at, 'YYYY-MM') ORDER BY 1
SELECT EXTRACT(isodow FROM ordered_at) AS dow, count(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT age(timestamp '2026-11-01', ordered_at) AS old FROM orders ORDER BY id
SELECT category, count(*) FROM products GROUP BY ROLLUP (category) ORDER BY category NULLS LAST
SELECT category, GROUPING(category) AS is_all, sum(price) FROM products GROUP BY GROUPING SETS ((category), ()) ORDER BY 2, 1
SELECT regexp_replace(email, '@.*$', '') AS local_part, split_part(email, '@', 2) AS host FROM customers WHERE email ~* '^[a-z]+@' ORDER BY id
SELECT unnest(string_to_array(note, ' ')) AS word FROM orders WHERE note IS NOT NULL ORDER BY 1
SELECT width_bucket(price, 0, 300, 3) AS bucket, count(*) FROM products GROUP BY 1 ORDER BY 1
SELECT name, price, price - avg(price) OVER (PARTITION BY category) AS diff, cume_dist() OVER (ORDER BY price) AS cd FROM products ORDER BY id
SELECT id, ordered_at AT TIME ZONE 'Europe/Berlin' AS local FROM orders ORDER BY id
SELECT count(*) FROM orders WHERE ordered_at BETWEEN '2026-01-01' AND now() AND ordered_at <@ tsrange('2026-01-01', '2027-01-01')
SELECT jsonb_build_object('name', name, 'price', price) AS j FROM products WHERE category ILIKE 'HO%' ORDER BY id
SELECT attrs @> '{"tier": "gold"}'::jsonb AS gold, attrs ? 'tier' AS has, attrs #>> '{langs,0}' AS first_lang FROM customers ORDER BY id
WITH m AS MATERIALIZED (SELECT customer_id, max(ordered_at) AS last FROM orders GROUP BY customer_id) SELECT c.name, m.last FROM m JOIN customers c ON c.id = m.customer_id ORDER BY m.last FETCH FIRST 2 ROWS ONLY
SELECT corr(qty, price), regr_slope(price, qty), stddev_samp(price), var_pop(qty) FROM items
SELECT CASE WHEN bool_or(status = 'void') THEN 'some void' ELSE 'none' END AS v, every(id > 0) AS e FROM orders
SELECT o.id, o.status FROM orders o TABLESAMPLE BERNOULLI (100) ORDER BY o.id
SELECT (SELECT array_agg(x ORDER BY x) FROM unnest(ARRAY[3, 1, 2]) AS x) AS sorted, ARRAY[1, 2] || 3 AS more, (ARRAY['a', 'b'])[2] AS second
SELECT name, COALESCE(email, name || '@unknown') AS mail, format('%s (%s)', name, country) AS label FROM customers ORDER BY id
SELECT customer_id, json_agg(json_build_object('id', id, 'status', status) ORDER BY id) FROM orders GROUP BY customer_id ORDER BY 1
SELECT id FROM orders WHERE note SIMILAR TO '(gift|late)%' OR note = ANY (ARRAY['x y z', 'q']) ORDER BY id
SELECT make_date(2026, 2, 28) - date '2026-01-01' AS days, date_part('week', ordered_at) AS wk FROM orders ORDER BY id
SELECT nth_value(name, 2) OVER (ORDER BY price RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW) AS second FROM products ORDER BY id
SELECT x.y, x.n FROM (SELECT extract(year FROM created_at)::int AS y, count(*) AS n FROM customers GROUP BY 1) AS x(y, n) WHERE x.y % 2 = 1
SELECT encode(sha256(name::bytea), 'hex') AS h, md5(name) AS m FROM customers ORDER BY id
SELECT GREATEST(1, 2, NULL), LEAST(price, 10::numeric(10,2)), sign(-2), power(2, 10), mod(7, 3), trunc(3.789, 1) FROM products ORDER BY id
SELECT count(*) FILTER (WHERE ordered_at >= date_trunc('month', timestamp '2026-10-15') - interval '1 month') AS recent FROM orders
WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n WHERE k < 12) SELECT n.k AS month, COUNT(o.id) AS orders FROM n LEFT JOIN orders o ON EXTRACT(MONTH FROM o.ordered_at) = n.k GROUP BY n.k ORDER BY n.k
SELECT string_agg(DISTINCT status, '|') AS s, string_agg(DISTINCT status, ', ' ORDER BY status DESC) AS d FROM orders
SELECT x FROM generate_series(1, 10, 3) AS g(x) WHERE x <> ALL (ARRAY[4]) AND x = SOME ('{1,7}'::int[]) AND x < ALL (VALUES (8), (9)) ORDER BY x
SELECT date_trunc('month', o.ordered_at) AS month, sum(i.qty * i.price) AS revenue, lag(sum(i.qty * i.price)) OVER (ORDER BY date_trunc('month', o.ordered_at)) AS before FROM orders o JOIN items i ON i.order_id = o.id GROUP BY 1 ORDER BY 1
SELECT c.name, count(*) FILTER (WHERE o.status = 'paid') AS paid, sum(i.qty * i.price) FILTER (WHERE o.ordered_at >= '2026-02-01') AS late FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id GROUP BY c.name ORDER BY c.name
SELECT coalesce(p.category, 'all') AS category, coalesce(p.name, 'all') AS name, sum(i.qty) FROM items i JOIN products p ON p.id = i.product_id GROUP BY CUBE (p.category, p.name) ORDER BY 1, 2
SELECT country, status, count(*), grouping(country, status) AS g FROM orders JOIN customers c ON c.id = customer_id GROUP BY GROUPING SETS ((country, status), (country), ()) ORDER BY g, 1, 2
WITH RECURSIVE months AS (SELECT date '2026-01-01' AS m UNION ALL SELECT (m + interval '1 month')::date FROM months WHERE m < date '2026-10-01') SELECT m, count(o.id) FROM months LEFT JOIN orders o ON date_trunc('month', o.ordered_at) = m GROUP BY m ORDER BY m
SELECT c.name, last.id, last.status FROM customers c LEFT JOIN LATERAL (SELECT o.id, o.status FROM orders o WHERE o.customer_id = c.id ORDER BY o.ordered_at DESC LIMIT 1) AS last ON true ORDER BY c.name
SELECT name, attrs -> 'langs' ->> 0 AS first, attrs #> '{langs}' AS langs, jsonb_typeof(attrs -> 'langs') AS t FROM customers ORDER BY id
SELECT key, count(*) FROM customers, jsonb_object_keys(attrs) AS key GROUP BY key ORDER BY key
SELECT kv.key, kv.value FROM customers c CROSS JOIN LATERAL jsonb_each(c.attrs) AS kv(key, value) WHERE c.id = 1 ORDER BY 1
SELECT jsonb_path_query_first(attrs, '$.langs[0]') AS l, attrs @? '$.langs[*] ? (@ == "de")' AS german FROM customers ORDER BY id
SELECT name, (regexp_match(email, '^([^@]+)@(.+)$'))[2] AS host FROM customers WHERE email IS NOT NULL ORDER BY 1
SELECT m[1] AS word FROM orders, regexp_matches(note, '[a-z]+', 'g') AS m ORDER BY 1
SELECT w.word, w.at FROM orders o, unnest(string_to_array(o.note, ' ')) WITH ORDINALITY AS w(word, at) ORDER BY o.id, w.at
SELECT extract(epoch FROM max(ordered_at) - min(ordered_at)) / 86400 AS days, justify_days(max(ordered_at) - min(ordered_at)) AS j FROM orders
SELECT ordered_at::date - lag(ordered_at::date) OVER (PARTITION BY customer_id ORDER BY ordered_at) AS gap FROM orders ORDER BY id
SELECT to_char(date_trunc('week', ordered_at), 'IYYY-"W"IW') AS week, count(*) FROM orders GROUP BY 1 ORDER BY 1
SELECT date_part('quarter', ordered_at) AS q, array_agg(status ORDER BY ordered_at) AS states, string_agg(DISTINCT status, '|') AS s FROM orders GROUP BY 1 ORDER BY 1
SELECT avg(price) OVER w AS mean, max(price) FILTER (WHERE price < 100) OVER w AS m FROM products WINDOW w AS (PARTITION BY category) ORDER BY id
SELECT percentile_disc(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY price) AS q FROM products
SELECT rank(10) WITHIN GROUP (ORDER BY price) AS r, cume_dist(10) WITHIN GROUP (ORDER BY price) AS d FROM products
SELECT id, status FROM orders WHERE ordered_at >= timestamp '2026-01-01' AND ordered_at < timestamp '2026-01-01' + interval '3' month ORDER BY id
SELECT * FROM (VALUES (1, 'low'), (2, 'high')) AS t(id, label) JOIN products USING (id) ORDER BY id
SELECT o.id, o.ordered_at::timestamptz AT TIME ZONE 'UTC' AS utc, date_bin('15 minutes', ordered_at, '2026-01-01') AS bin FROM orders o ORDER BY 1
SELECT p.name, i.qty, i.price * (1 - 0.05 * (i.qty > 5)::int) AS net FROM items i JOIN products p ON p.id = i.product_id ORDER BY i.order_id, p.id
SELECT status, count(*), round(100.0 * count(*) / sum(count(*)) OVER (), 1) || '%' AS share FROM orders GROUP BY status ORDER BY 2 DESC, 1
SELECT id, note, length(note) - length(replace(note, ' ', '')) AS blanks, left(note, 2), right(note, 2), initcap(note), lpad(id::text, 4, '0') FROM orders ORDER BY id
SELECT id FROM orders WHERE note IS NOT NULL AND note !~~ '%x%' AND note ~ '\w+' ORDER BY id
SELECT name, CASE WHEN price BETWEEN 0 AND 5 THEN 'cheap' WHEN price < 50 THEN 'mid' ELSE 'dear' END AS tier FROM products ORDER BY id
SELECT tier, count(*) FROM (SELECT attrs ->> 'tier' AS tier FROM customers) t GROUP BY tier HAVING count(*) > 1
SELECT x FROM generate_series(1, 10, 3) AS g(x) WHERE x <> ALL (ARRAY[4]) ORDER BY x
SELECT c.name, ARRAY(SELECT o.status FROM orders o WHERE o.customer_id = c.id ORDER BY o.id) AS states FROM customers c ORDER BY c.id
SELECT sum(price) AS total, sum(sum(price)) OVER (ORDER BY category) AS run, category FROM products GROUP BY category ORDER BY category
WITH t AS (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY ordered_at) AS rn FROM orders) SELECT a.customer_id, avg(b.ordered_at - a.ordered_at) AS mean_gap FROM t a JOIN t b ON b.customer_id = a.customer_id AND b.rn = a.rn + 1 GROUP BY 1 ORDER BY 1
SELECT date_trunc('day', ordered_at, 'Europe/Berlin') FROM (SELECT ordered_at::timestamptz FROM orders) t ORDER BY 1
SELECT NULLIF(trim(both ' ' from note), '') AS n, strpos(note, 'a'), translate(note, 'abc', 'xyz'), reverse(note), concat_ws('-', id, status) FROM orders ORDER BY id
SELECT category, (array_agg(name ORDER BY price))[1] AS cheapest, array_length(array_agg(name), 1) AS n, array_to_string(array_agg(name ORDER BY name), ',') FROM products GROUP BY category ORDER BY category
SELECT o.id, EXISTS (SELECT FROM items i WHERE i.order_id = o.id AND i.qty > 5) AS bulk FROM orders o ORDER BY 1
SELECT first_value(name) OVER (PARTITION BY category ORDER BY price), last_value(name) OVER (PARTITION BY category ORDER BY price ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING), ratio FROM (SELECT *, price / sum(price) OVER () AS ratio FROM products) p ORDER BY id
SELECT status, ordered_at FROM orders ORDER BY array_position(ARRAY['open', 'paid', 'void'], status::text), ordered_at DESC NULLS LAST
SELECT jsonb_agg(to_jsonb(p) - 'id' ORDER BY p.id) FROM (SELECT id, name, price FROM products) p
SELECT c.country, json_object_agg(c.name, c.email ORDER BY c.id) FROM customers c GROUP BY 1 ORDER BY 1
SELECT lower(r) AS lo, upper(r) AS hi, r @> 3 AS has FROM (SELECT int4range(1, 5) AS r) t
SELECT DATE '2026-11-23'::text AS t, INTERVAL '1:02' HOUR AS h, INTERVAL '1 day ago' AS a, |/ 9.0 + 16 AS r, + '3' AS p, (INTERVAL '1-2' YEAR TO MONTH)::text AS y
SELECT c.name, l.lang, l.n FROM customers c CROSS JOIN LATERAL unnest(string_to_array(c.country, 'S')) WITH ORDINALITY AS l(lang, n) ORDER BY c.id, l.n
SELECT c.id, l.ordinality FROM customers c, LATERAL unnest(ARRAY[c.id, 2]) WITH ORDINALITY AS l(x) ORDER BY c.id, l.ordinality
SELECT n, b FROM customers c, LATERAL unnest(ARRAY[1, 2], ARRAY['a', c.name]) WITH ORDINALITY AS l(a, b, n) WHERE n > 1 ORDER BY b
SELECT CURRENT_TIME IS NOT NULL AS t, CURRENT_DATE >= date '2026-01-01' AS d, LOCALTIME IS NULL AS l, ||/ 27.0 AS c
