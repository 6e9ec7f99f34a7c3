SELECT DATE_FORMAT(sold_at, '%Y-%m') AS m, SUM(amount) FROM sales GROUP BY m WITH ROLLUP;
SELECT YEAR(sold_at), MONTH(sold_at), DAYNAME(sold_at), COUNT(*) FROM sales GROUP BY 1, 2, 3;
SELECT GROUP_CONCAT(DISTINCT genre ORDER BY genre SEPARATOR ', ') FROM albums;
SELECT IF(price > 10, 'dear', 'cheap'), IFNULL(genre, '?') FROM albums;
SELECT DATEDIFF(NOW(), sold_at), TIMESTAMPDIFF(MONTH, sold_at, NOW()), DATE_ADD(sold_at, INTERVAL 1 MONTH), LAST_DAY(sold_at) FROM sales;
SELECT `id`, `note` FROM `sales` AS `s` WHERE `s`.`status` = "paid" # comment
;
SELECT JSON_EXTRACT(details, '$.label'), JSON_UNQUOTE(JSON_EXTRACT(details, '$.x')), JSON_LENGTH(tags) FROM albums;
SELECT a.title, t.tag FROM albums a, JSON_TABLE(a.tags, '$[*]' COLUMNS (n FOR ORDINALITY, tag VARCHAR(40) PATH '$')) AS t;
SELECT title FROM albums WHERE title REGEXP '^a' OR title RLIKE 'b$' OR title NOT REGEXP 'c';
SELECT CONCAT(name, ' (', country, ')'), CONCAT_WS('-', name, country), LEFT(name, 2), SUBSTRING_INDEX(name, ' ', 1) FROM artists;
SELECT CAST(amount AS SIGNED), CONVERT(amount, CHAR), amount DIV 3, amount MOD 3 FROM sales;
SELECT id FROM music.sales USE INDEX (PRIMARY) WHERE id <=> 3 ORDER BY FIELD(status, 'paid', 'late') LIMIT 2, 3;
SELECT 'a' 'b', "it's", 'it\'s', N'x', _utf8mb4'y', 0x41, b'01' FROM DUAL;
SELECT STR_TO_DATE('2024-01-02', '%Y-%m-%d'), FROM_UNIXTIME(0), UNIX_TIMESTAMP(sold_at), WEEK(sold_at, 3), EXTRACT(YEAR_MONTH FROM sold_at) FROM sales;
SELECT STD(amount), VARIANCE(amount), BIT_OR(id), MAX(amount) FROM sales;
SELECT * FROM sales NATURAL JOIN albums;
SELECT s.id FROM sales s STRAIGHT_JOIN albums a ON a.id = s.album_id;
(SELECT id FROM sales LIMIT 1) UNION ALL (SELECT id FROM albums LIMIT 1) ORDER BY id;
EXPLAIN SELECT * FROM sales;
SELECT SQL_NO_CACHE INSERT('abc', 1, 1, 'x'), REPLACE('a', 'a', 'b'), TRUNCATE(1.5, 0), REPEAT('x', 3) FROM sales;
SELECT id FROM sales WHERE sold_at > NOW() - INTERVAL 7 DAY XOR status = 'paid';
SELECT id FROM sales ORDER BY NULL;
SELECT -price AS p, row_number() OVER (ORDER BY p) AS n FROM albums;
SELECT -price AS p, sum(price) OVER w AS n FROM albums WINDOW w AS (ORDER BY p);
SELECT -price AS p, (SELECT p + 1) AS q FROM albums;
VALUES (1, 2), (3, 4);
SELECT INTERVAL(amount, 10, 20), sold_at - INTERVAL 1 DAY FROM sales
