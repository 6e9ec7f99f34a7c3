SELECT strftime('%Y-%m', sold_at) AS m, sum(amount) FROM sales GROUP BY m ORDER BY m;
SELECT date(sold_at, 'start of month', '+1 month', '-1 day') FROM sales;
SELECT t.value, count(*) FROM albums, json_each(albums.tags) AS t GROUP BY t.value;
SELECT details ->> '$.label', json_extract(details, '$.tracks') FROM albums;
SELECT group_concat(title, '; '), total(price) FROM albums;
SELECT iif(price > 10, 'dear', 'cheap'), ifnull(genre, '?') FROM albums;
SELECT title FROM albums WHERE title GLOB 'A*' OR title LIKE 'b\_%' ESCAPE '\';
SELECT count(*) FILTER (WHERE status = 'paid') FROM sales;
SELECT julianday('now') - julianday(min(sold_at)) FROM sales;
SELECT printf('%.2f', avg(amount)), typeof(amount) FROM sales;
SELECT * FROM sales ORDER BY amount DESC NULLS LAST LIMIT 5, 3;
SELECT rowid, id FROM sales WHERE rowid % 2 = 0;
SELECT [id], `amount`, "note" FROM sales WHERE id IS NOT 3;
SELECT sum(amount) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM sales;
EXPLAIN QUERY PLAN SELECT * FROM sales WHERE id = 1;
VALUES (1, 'a'), (2, 'b');
WITH v(code, label) AS (VALUES ('paid', 'Paid')) SELECT label FROM v JOIN sales ON status = code;
SELECT s.album_id AS k, a.title FROM sales AS s JOIN albums AS a ON a.id = k
