CREATE TABLE dim_venue (venue_sk INTEGER PRIMARY KEY, venue_code TEXT UNIQUE, hall_name TEXT, city TEXT);
CREATE TABLE dim_play (
  play_sk INTEGER PRIMARY KEY, short_title TEXT, genre TEXT, play_status TEXT, planned_end TEXT, seat_goal INTEGER
);
CREATE TABLE dim_director (director_sk INTEGER PRIMARY KEY, full_name TEXT, birth_year INTEGER, joined_date TEXT);
CREATE TABLE bridge_play_venue (
  play_sk INTEGER REFERENCES dim_play (play_sk), venue_sk INTEGER REFERENCES dim_venue (venue_sk),
  stage_director_sk INTEGER REFERENCES dim_director (director_sk), opened_date TEXT, closed_date TEXT,
  PRIMARY KEY (play_sk, venue_sk)
);
CREATE TABLE fact_guest (
  guest_sk INTEGER PRIMARY KEY, guest_no TEXT UNIQUE, play_sk INTEGER REFERENCES dim_play (play_sk),
  venue_sk INTEGER REFERENCES dim_venue (venue_sk), sex TEXT, seat_class TEXT, guest_status TEXT, leave_reason TEXT,
  booked_date TEXT, seated_date TEXT
);
CREATE TABLE fact_visit (
  visit_sk INTEGER PRIMARY KEY, guest_sk INTEGER REFERENCES fact_guest (guest_sk), visit_name TEXT, visit_status TEXT,
  visit_date TEXT
);
CREATE TABLE fact_question (
  question_sk INTEGER PRIMARY KEY, guest_sk INTEGER REFERENCES fact_guest (guest_sk), raised_date TEXT,
  answered_date TEXT, question_type TEXT
);
CREATE TABLE fact_rating (
  guest_sk INTEGER REFERENCES fact_guest (guest_sk), play_sk INTEGER REFERENCES dim_play (play_sk), stars INTEGER,
  rated_date TEXT, PRIMARY KEY (guest_sk, play_sk)
);
INSERT INTO dim_venue VALUES (1, 'V1', 'Opal', 'Lund'), (2, 'V2', 'Coral', 'Oslo'), (3, 'V3', 'Mica', 'Oslo');
INSERT INTO dim_play VALUES
  (1, 'HAZE', 'drama', 'running', '2027-03-01', 90), (2, 'TIDE', 'comedy', 'planned', '2027-08-01', 120),
  (3, 'EMBER', 'drama', 'closed', '2026-02-01', 60);
INSERT INTO dim_director VALUES (1, 'Ada Berg', 1962, '2020-01-01'), (2, 'Ivo Dahl', 1981, '2018-01-01');
INSERT INTO bridge_play_venue VALUES
  (1, 1, 1, '2026-01-10', NULL), (1, 2, 2, '2026-02-10', '2026-05-01'), (3, 2, 2, '2025-01-10', '2025-06-01');
INSERT INTO fact_guest VALUES
  (1, '01-100', 1, 1, 'F', 'stalls', 'seated', NULL, '2026-03-01', '2026-03-02'),
  (2, '01-101', 1, 1, 'M', 'circle', 'seated', NULL, '2026-03-01', '2026-03-02'),
  (3, '02-102', 1, 2, 'F', 'stalls', 'turned away', 'adverse weather', '2026-03-04', NULL),
  (4, '02-103', 3, 2, 'F', 'circle', 'waiting', NULL, '2025-03-04', NULL);
INSERT INTO fact_visit VALUES
  (1, 1, 'Opening', 'done', '2026-03-02'), (2, 2, 'Opening', 'missed', '2026-03-02'),
  (3, 1, 'Encore', 'missed', '2026-04-02'), (4, 2, 'Encore', 'missed', '2026-04-02');
INSERT INTO fact_question VALUES
  (1, 1, '2026-03-03', NULL, 'seat'), (2, 3, '2026-03-03', '2026-03-05', 'price'), (3, 3, '2026-03-08', NULL, 'seat');
INSERT INTO fact_rating VALUES (1, 1, 5, '2026-03-09'), (2, 1, 3, '2026-03-09'), (4, 3, 5, '2025-03-09');
CREATE TABLE fact_stock (
  stock_date TEXT, venue_sk INTEGER REFERENCES dim_venue (venue_sk), drink TEXT, quantity INTEGER,
  PRIMARY KEY (stock_date, venue_sk, drink)
);
INSERT INTO fact_stock VALUES ('2026-11-21', 1, 'cider', 40), ('2026-11-22', 1, 'cider', 38), ('2026-11-22', 2, 'cider', 12);
