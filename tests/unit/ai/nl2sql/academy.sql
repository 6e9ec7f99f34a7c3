-- A school that sells courses: states beside days, days that the schema lets be empty, people by their full names.
CREATE TABLE tutors (tutor_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, office TEXT);
CREATE TABLE courses (
  course_id INTEGER PRIMARY KEY, title TEXT NOT NULL, tutor_id INTEGER REFERENCES tutors (tutor_id), level TEXT,
  status TEXT, start_date TEXT, end_date TEXT, list_price REAL
);
CREATE TABLE learners (learner_id INTEGER PRIMARY KEY, name TEXT NOT NULL, plan TEXT, signup_date TEXT);
CREATE TABLE enrolments (
  enrolment_id INTEGER PRIMARY KEY, learner_id INTEGER REFERENCES learners (learner_id),
  course_id INTEGER REFERENCES courses (course_id), enrolled_at TEXT, price_paid REAL
);
CREATE TABLE payment (
  payment_id INTEGER PRIMARY KEY, enrolment_ref INTEGER, amount REAL, refunded_amount REAL, method TEXT, status TEXT,
  paid_at TEXT, refunded_at TEXT
);
CREATE TABLE tickets (ticket_id INTEGER PRIMARY KEY, topic TEXT, state TEXT, opened_at TEXT, closed_at TEXT, assigned_to TEXT);
CREATE TABLE ads (ad_id INTEGER PRIMARY KEY, channel TEXT, day TEXT, clicks INTEGER, cost REAL);
CREATE TABLE targets (target_id INTEGER PRIMARY KEY, month TEXT, target_clicks INTEGER);

INSERT INTO tutors VALUES (1, 'Ada Moreau', 'Lyon'), (2, 'Ben Okafor', 'Leeds'), (3, 'Cleo Brandt', 'Leeds');
INSERT INTO courses VALUES
  (1, 'Knots', 1, 'beginner', 'published', '2026-10-05', '2026-11-27', 40), (2, 'Sails', 1, 'advanced', 'archived', '2025-03-01', '2025-06-30', 90),
  (3, 'Charts', 2, 'beginner', 'published', '2026-10-20', NULL, 40), (4, 'Tides', NULL, 'advanced', 'draft', '2026-12-01', NULL, 120);
INSERT INTO learners VALUES
  (1, 'Ines', 'pro', '2026-10-03'), (2, 'Jon', 'basic', '2026-10-09'), (3, 'Kai', 'pro', '2026-11-02'), (4, 'Liv', 'free', '2025-08-01');
INSERT INTO enrolments VALUES
  (1, 1, 1, '2026-10-05', 40), (2, 2, 1, '2026-10-10', 30), (3, 3, 3, '2026-11-03', 40), (4, 4, 2, '2025-03-02', 90), (5, 1, 3, '2026-11-05', 40);
INSERT INTO payment VALUES
  (1, 1, 40, NULL, 'card', 'paid', '2026-10-05', NULL), (2, 2, 30, NULL, 'paypal', 'failed', '2026-10-10', NULL),
  (3, 3, 40, NULL, 'card', 'paid', '2026-11-03', NULL), (4, 4, 90, 90, 'card', 'refunded', '2025-03-02', '2026-10-12'), (5, 5, 40, 40, 'card', 'refunded', '2026-10-20', '2026-10-25');
INSERT INTO tickets VALUES
  (1, 'login', 'open', '2026-11-01', NULL, 'maya'), (2, 'login', 'pending', '2026-11-02', NULL, 'karim'),
  (3, 'refund', 'closed', '2026-10-02', '2026-10-04', 'maya'), (4, 'refund', 'closed', '2026-10-09', '2026-10-13', NULL);
INSERT INTO ads VALUES (1, 'search', '2026-10-01', 100, 50), (2, 'social', '2026-10-02', 400, 80), (3, 'social', '2026-11-02', 10, 9);
INSERT INTO targets VALUES (1, '2026-09', 300), (2, '2026-10', 500), (3, '2026-11', 700);
