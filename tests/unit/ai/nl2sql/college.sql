-- A college: people with three names and an age, staff with wages, papers that are known by number.
CREATE TABLE department (department_id INTEGER PRIMARY KEY, department_name TEXT NOT NULL);
CREATE TABLE lecturer (
  lecturer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, wage INTEGER NOT NULL,
  department_id INTEGER NOT NULL REFERENCES department (department_id)
);
CREATE TABLE student (
  student_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, middle_name TEXT, last_name TEXT NOT NULL,
  age INTEGER NOT NULL, total_score INTEGER NOT NULL
);
CREATE TABLE paper (paper_id INTEGER PRIMARY KEY, paper_name TEXT NOT NULL, student_id INTEGER NOT NULL REFERENCES student (student_id));
CREATE TABLE section (section_id INTEGER PRIMARY KEY, paper_id INTEGER NOT NULL REFERENCES paper (paper_id), heading TEXT NOT NULL);

INSERT INTO department VALUES (1, 'Physics'), (2, 'History');
INSERT INTO lecturer VALUES (1, 'Ada', 70, 1), (2, 'Bo', 50, 1), (3, 'Cy', 60, 2);
INSERT INTO student VALUES (1, 'Lea', 'May', 'Zorn', 21, 10), (2, 'Tim', NULL, 'Adler', 30, 40), (3, 'Uma', 'Kay', 'Berg', 25, 30);
INSERT INTO paper VALUES (7, 'On light', 1), (8, 'On time', 2), (9, 'On rust', 3);
INSERT INTO section VALUES (1, 9, 'Start'), (2, 9, 'End'), (3, 7, 'Start'), (4, 7, 'End'), (5, 8, 'All');
