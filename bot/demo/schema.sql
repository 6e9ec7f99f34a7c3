CREATE TABLE teams (
  team_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  region TEXT NOT NULL,
  lead TEXT NOT NULL
);

CREATE TABLE app_portfolio (
  app_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  platform TEXT NOT NULL CHECK (platform IN ('iOS', 'Android', 'Web')),
  category TEXT NOT NULL,
  team_id INTEGER REFERENCES teams (team_id),
  launched_on DATE NOT NULL,
  retired_on DATE,
  is_active BOOLEAN NOT NULL CHECK (is_active = (retired_on IS NULL)),
  price_usd NUMERIC NOT NULL
);

CREATE TABLE daily_metrics (
  app_id INTEGER NOT NULL REFERENCES app_portfolio (app_id),
  day DATE NOT NULL,
  country TEXT NOT NULL,
  installs INTEGER NOT NULL,
  active_users INTEGER NOT NULL,
  revenue_usd NUMERIC NOT NULL,
  PRIMARY KEY (app_id, day, country)
) WITHOUT ROWID;

CREATE TABLE reviews (
  review_id INTEGER PRIMARY KEY,
  app_id INTEGER NOT NULL REFERENCES app_portfolio (app_id),
  created_on DATE NOT NULL,
  country TEXT NOT NULL,
  stars INTEGER NOT NULL CHECK (stars BETWEEN 1 AND 5),
  title TEXT,
  body TEXT
);

CREATE TABLE releases (
  release_id INTEGER PRIMARY KEY,
  app_id INTEGER NOT NULL REFERENCES app_portfolio (app_id),
  version TEXT NOT NULL,
  released_on DATE NOT NULL,
  notes TEXT,
  is_hotfix BOOLEAN NOT NULL,
  UNIQUE (app_id, version)
);
