-- Bikes for hire. Keys bear the bare name of a thing and are not declared; a trip has a rider and a station, each with a
-- zone; amounts are in small units; test rows, states with a day, and months as texts.
CREATE TABLE zones (zone_code TEXT PRIMARY KEY, zone_name TEXT NOT NULL, district TEXT NOT NULL);
INSERT INTO zones VALUES ('Q', 'Quay', 'Harbour'), ('M', 'Market', 'Old Town'), ('H', 'Hill', 'Uplands');
CREATE TABLE stations (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, zone TEXT, docks INTEGER NOT NULL, opened_on TEXT NOT NULL,
  is_test INTEGER NOT NULL DEFAULT 0
);
INSERT INTO stations VALUES
  (1, 'Pier', 'Q', 20, '2026-04-01', 0), (2, 'Lock', 'Q', 10, '2025-02-01', 0), (3, 'Hall', 'M', 30, '2026-05-01', 0),
  (4, 'Shed', 'Q', 99, '2026-06-01', 1);
CREATE TABLE bikes (
  bike_no INTEGER PRIMARY KEY, name TEXT NOT NULL, is_active INTEGER NOT NULL, purchased_on TEXT NOT NULL, retired_on TEXT
);
INSERT INTO bikes VALUES
  (11, 'Swift', 1, '2024-03-01', NULL), (12, 'Heron', 0, '2024-04-01', '2026-02-03'), (13, 'Wren', 1, '2025-05-01', NULL);
CREATE TABLE takings (bike INTEGER NOT NULL, day TEXT NOT NULL, revenue REAL NOT NULL, PRIMARY KEY (bike, day));
INSERT INTO takings VALUES
  (11, '2026-10-01', 10), (11, '2026-10-02', 20), (12, '2026-10-01', 90), (13, '2026-10-01', 25), (13, '2026-11-01', 70);
CREATE TABLE riders (
  rider_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, home_zone TEXT NOT NULL REFERENCES zones (zone_code)
);
INSERT INTO riders VALUES (1, 'Ada Moss', 'Q'), (2, 'Ben Tarn', 'M');
CREATE TABLE subscriptions (
  sub_id INTEGER PRIMARY KEY, member INTEGER NOT NULL, plan_code TEXT NOT NULL, state TEXT NOT NULL, price_minor INTEGER NOT NULL,
  started_on TEXT NOT NULL, ends_on TEXT NOT NULL
);
INSERT INTO subscriptions VALUES
  (1, 1, 'ANN', 'active', 8900, '2026-01-05', '2027-01-04'), (2, 2, 'MTH', 'active', 900, '2026-11-01', '2026-11-30');
CREATE TABLE trips (
  trip_id INTEGER PRIMARY KEY, rider_id INTEGER NOT NULL REFERENCES riders (rider_id),
  start_station INTEGER NOT NULL REFERENCES stations (id), started_at TEXT NOT NULL
);
INSERT INTO trips VALUES (1, 1, 3, '2026-10-02'), (2, 1, 3, '2026-10-03'), (3, 2, 1, '2026-10-04');
CREATE TABLE payments (
  payment_id INTEGER PRIMARY KEY, rider INTEGER NOT NULL, ref_trip INTEGER, kind TEXT NOT NULL, amount_minor INTEGER NOT NULL,
  status TEXT NOT NULL, paid_on TEXT NOT NULL
);
INSERT INTO payments VALUES
  (1, 1, 1, 'trip', 2500, 'paid', '2026-10-02'), (2, 1, 2, 'trip', 300, 'failed', '2026-10-03'),
  (3, 2, 3, 'trip', 450, 'failed', '2026-10-04'), (4, 2, NULL, 'plan', 900, 'paid', '2026-11-01');
CREATE TABLE repairs (job_no INTEGER PRIMARY KEY, bike INTEGER NOT NULL, issue TEXT NOT NULL, reported_on TEXT NOT NULL);
INSERT INTO repairs VALUES (1, 13, 'brake', '2026-10-01'), (2, 13, 'chain', '2026-10-05'), (3, 11, 'chain', '2026-10-06');
CREATE TABLE outings (
  outing_id INTEGER PRIMARY KEY, kind TEXT NOT NULL, attendance INTEGER NOT NULL, starts_at TEXT NOT NULL
);
INSERT INTO outings VALUES
  (1, 'launch', 40, '2026-03-01'), (2, 'launch', 60, '2026-09-01'), (3, 'tour', 5, '2026-05-01'), (4, 'tour', 7, '2026-06-01');
CREATE TABLE routes (route_id INTEGER PRIMARY KEY, name TEXT NOT NULL, rrp_pence INTEGER NOT NULL, seats_sold INTEGER NOT NULL);
INSERT INTO routes VALUES (1, 'Loop', 250, 3), (2, 'Ridge', 150, 9);
CREATE TABLE web_days (day DATE PRIMARY KEY, unique_visitors INTEGER NOT NULL, page_views INTEGER NOT NULL);
INSERT INTO web_days VALUES ('2026-10-01', 40, 90), ('2026-10-02', 50, 80);
