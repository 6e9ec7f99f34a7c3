-- A company that makes apps, and one awkward corner: reserved words, spaces, two links between the same tables.
CREATE TABLE teams (team_id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT NOT NULL);
CREATE TABLE app_portfolio (
  app_id INTEGER PRIMARY KEY, name TEXT NOT NULL, platform TEXT NOT NULL, category TEXT NOT NULL,
  team_id INTEGER REFERENCES teams (team_id), launched_on DATE NOT NULL, retired_on DATE,
  is_active BOOLEAN NOT NULL, price_usd REAL NOT NULL
);
CREATE TABLE daily_metrics (
  app_id INTEGER NOT NULL REFERENCES app_portfolio (app_id), day DATE NOT NULL, country TEXT NOT NULL,
  installs INTEGER NOT NULL, revenue_usd REAL NOT NULL, PRIMARY KEY (app_id, day, country)
);
CREATE TABLE reviews (
  review_id INTEGER PRIMARY KEY, app_id INTEGER NOT NULL REFERENCES app_portfolio (app_id),
  created_on DATE NOT NULL, country TEXT NOT NULL, stars INTEGER NOT NULL, title TEXT
);
CREATE TABLE releases (
  release_id INTEGER PRIMARY KEY, app_id INTEGER NOT NULL REFERENCES app_portfolio (app_id),
  version TEXT NOT NULL, released_on DATE NOT NULL, is_hotfix BOOLEAN NOT NULL
);
CREATE TABLE "order" (order_id INTEGER PRIMARY KEY, "group" TEXT NOT NULL, "unit price" REAL NOT NULL, placed_at DATETIME NOT NULL);
CREATE TABLE airport (airport_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE flight (
  flight_id INTEGER PRIMARY KEY, carrier TEXT NOT NULL, year INTEGER NOT NULL,
  source_id INTEGER NOT NULL REFERENCES airport (airport_id),
  destination_id INTEGER NOT NULL REFERENCES airport (airport_id)
);
CREATE TABLE painter (painter_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, birth_year INTEGER);
CREATE TABLE painting (
  painting_id INTEGER PRIMARY KEY, title TEXT NOT NULL, painter_id INTEGER NOT NULL REFERENCES painter (painter_id),
  height_cm REAL NOT NULL
);

INSERT INTO teams VALUES (1, 'Growth', 'Europe'), (2, 'Core', 'Asia'), (3, 'Games', 'Asia');
INSERT INTO app_portfolio VALUES
  (1, 'Pingo', 'iOS', 'Games', 1, '2024-02-01', NULL, 1, 0), (2, 'Zest', 'Android', 'Health', 1, '2024-05-01', '2025-01-01', 0, 1.99),
  (3, 'Lumo', 'iOS', 'Finance', 2, '2025-05-01', NULL, 1, 2.99), (4, 'Webly', 'Web', 'Finance', NULL, '2026-05-01', NULL, 1, 4.99);
INSERT INTO daily_metrics VALUES
  (1, '2026-10-05', 'Germany', 10, 1.5), (2, '2026-10-06', 'France', 20, 2.5), (3, '2026-11-05', 'Germany', 30, 3.5),
  (1, '2026-11-07', 'United States', 40, 4.5), (2, '2025-11-07', 'Germany', 5, 0.5);
INSERT INTO reviews VALUES
  (1, 1, '2026-10-05', 'Germany', 5, 'Nice'), (2, 1, '2026-10-05', 'France', 4, NULL), (3, 2, '2026-10-05', 'Germany', 1, 'Meh');
INSERT INTO releases VALUES (1, 1, '1.0', '2026-03-01', 0), (2, 1, '1.1', '2026-07-01', 1), (3, 3, '1.0', '2026-08-01', 0);
INSERT INTO "order" VALUES (1, 'retail', 10, '2026-11-20 23:59:59'), (2, 'retail', 30, '2026-11-21 00:00:00'), (3, 'trade', 5, '2026-11-21 12:30:00');
INSERT INTO airport VALUES (1, 'Tegel', 'Berlin'), (2, 'Orly', 'Paris');
INSERT INTO flight VALUES (1, 'Blue', 2024, 1, 2), (2, 'Blue', 2025, 2, 1), (3, 'Red', 2025, 1, 2);
INSERT INTO painter VALUES (1, 'Ada', 'Stone', 1900), (2, 'Bo', 'Reed', 1950);
INSERT INTO painting VALUES (1, 'Dawn', 1, 120), (2, 'Dusk', 1, 80), (3, 'Noon', 2, 200);
