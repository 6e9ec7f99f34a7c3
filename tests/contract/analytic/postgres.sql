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
