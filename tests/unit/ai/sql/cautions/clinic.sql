-- A clinic group: departments, doctors, patients, visits, lab results, invoices in several currencies. Today is 2026-11-22.
CREATE TABLE departments (dept_id INTEGER PRIMARY KEY, title TEXT NOT NULL, budget NUMERIC NOT NULL, city TEXT NOT NULL);
CREATE TABLE doctors (doctor_id INTEGER PRIMARY KEY, dept_id INTEGER NOT NULL REFERENCES departments (dept_id), full_name TEXT NOT NULL, salary NUMERIC NOT NULL, grade TEXT);
CREATE TABLE patients (patient_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, city TEXT NOT NULL, birth_date DATE NOT NULL, weight NUMERIC);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patients (patient_id), doctor_id INTEGER NOT NULL REFERENCES doctors (doctor_id), visited_on DATE NOT NULL, minutes INTEGER NOT NULL, rating INTEGER);
CREATE TABLE prescriptions (visit_id INTEGER NOT NULL REFERENCES visits (visit_id), line INTEGER NOT NULL, drug TEXT NOT NULL, doses INTEGER NOT NULL, PRIMARY KEY (visit_id, line));
CREATE TABLE lab_results (result_id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits (visit_id), test TEXT NOT NULL, value REAL);
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits (visit_id), billed_on DATE NOT NULL, amount NUMERIC NOT NULL, currency TEXT NOT NULL, insurer TEXT);
CREATE TABLE ward_months (dept_id INTEGER NOT NULL REFERENCES departments (dept_id), month TEXT NOT NULL, beds INTEGER NOT NULL, average_stay NUMERIC NOT NULL, PRIMARY KEY (dept_id, month));
INSERT INTO departments VALUES (1,'Cardiology',1000,'Bern'),(2,'Surgery',2000,'Basel'),(3,'Paediatrics',800,'Bern');
INSERT INTO doctors VALUES (1,1,'Dr Amsel',90,'senior'),(2,1,'Dr Beck',70,NULL),(3,2,'Dr Calder',120,'senior'),(4,3,'Dr Dohle',80,'junior');
INSERT INTO patients VALUES (1,'Pia','Bern','1980-01-01',70),(2,'Quin','Basel','1990-02-02',NULL),(3,'Rosa','Zurich','2015-03-03',NULL),(4,'Sven','Bern','1970-04-04',90);
INSERT INTO visits VALUES (1,1,1,'2025-11-03',30,5),(2,1,2,'2026-01-10',20,NULL),(3,2,3,'2026-06-15',90,4),(4,3,4,'2026-09-09',15,NULL),(5,4,1,'2026-10-30',25,3),(6,4,3,'2026-11-12',60,NULL);
INSERT INTO prescriptions VALUES (1,1,'Alpha',10),(1,2,'Beta',5),(3,1,'Gamma',20),(5,1,'Alpha',7),(5,2,'Beta',3);
INSERT INTO lab_results VALUES (1,1,'iron',1.2),(2,1,'zinc',NULL),(3,3,'iron',2.1),(4,4,'iron',NULL),(5,5,'zinc',0.7);
INSERT INTO bills VALUES (1,1,'2025-11-05',100,'CHF','Helvia'),(2,2,'2026-01-12',80,'CHF',NULL),(3,3,'2026-06-20',900,'EUR','Sanova'),(4,4,'2026-09-10',60,'CHF','Helvia'),(5,5,'2026-10-31',120,'EUR',NULL);
INSERT INTO ward_months VALUES (1,'2026-09',10,3.5),(1,'2026-10',10,4),(2,'2026-09',20,6),(2,'2026-10',22,5.5);
