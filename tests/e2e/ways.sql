CREATE TABLE teams (id INTEGER PRIMARY KEY, name VARCHAR(40) NOT NULL, founded DATE, active BOOLEAN);
INSERT INTO teams VALUES (1, 'Ärzte', '2019-05-01', TRUE), (2, 'Blue', NULL, FALSE);
CREATE TABLE apps (id INTEGER PRIMARY KEY, team_id INTEGER, name VARCHAR(40), platform VARCHAR(10), price DECIMAL(8, 2), rating DOUBLE PRECISION, released TIMESTAMP NULL, FOREIGN KEY (team_id) REFERENCES teams (id));
INSERT INTO apps VALUES (1, 1, 'Lamp', 'iOS', 0.99, 4.5, '2026-01-05 10:00:00'), (2, 1, '=Desk, "old"', 'Android', NULL, 3.25, '2026-02-06 11:30:00'), (3, 2, 'Pen', 'iOS', 4.25, 1e12, NULL), (4, 2, 'Cup', 'Web', 2.75, NULL, '2026-03-07 12:00:00');
CREATE TABLE visits (id INTEGER PRIMARY KEY, day DATE);
INSERT INTO visits VALUES (1, CURRENT_DATE), (2, CURRENT_DATE);
