-- A dentist's practices: states in words, invoices with lines, people with births, names of several words, shipments due.
CREATE TABLE clinic (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
INSERT INTO clinic VALUES (1, 'Quay', 'Cork'), (2, 'Mill', 'Ghent');
CREATE TABLE staff (id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, role TEXT NOT NULL, clinic_id INTEGER NOT NULL REFERENCES clinic(id));
INSERT INTO staff VALUES (1, 'Ada Finch', 'Dentist', 1), (2, 'Bo Hale', 'Dental nurse', 1), (3, 'Cy Novak', 'Dental nurse', 2);
CREATE TABLE patient (
  id INTEGER PRIMARY KEY, full_name TEXT NOT NULL, date_of_birth DATE NOT NULL, city TEXT NOT NULL, referral_source TEXT,
  registered_on DATE NOT NULL, clinic_id INTEGER NOT NULL REFERENCES clinic(id)
);
INSERT INTO patient VALUES (1, 'Isla Penn', '2008-11-22', 'Cork', 'Google', '2026-02-01', 1),
  (2, 'Jon Reed', '2008-11-23', 'Cork', 'Flyer', '2026-03-01', 1), (3, 'Kim Shaw', '1950-01-01', 'Ghent', 'Google', '2025-01-01', 2);
CREATE TABLE appointment (
  id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient(id), clinic_id INTEGER NOT NULL REFERENCES clinic(id),
  appointment_date DATE NOT NULL, status TEXT NOT NULL
);
INSERT INTO appointment VALUES (1, 1, 1, '2026-10-02', 'No show'), (2, 1, 1, '2026-10-09', 'Completed'), (3, 2, 1, '2026-10-12', 'No show'),
  (4, 3, 2, '2026-10-13', 'No show'), (5, 3, 2, '2026-09-14', 'Completed');
CREATE TABLE treatment (id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL);
INSERT INTO treatment VALUES (1, 'Single implant', 'Surgery'), (2, 'Root canal - molar', 'Endo'), (3, 'Root canal - front', 'Endo'),
  (4, 'Scale and polish', 'Care');
CREATE TABLE invoice (
  id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient(id), clinic_id INTEGER NOT NULL REFERENCES clinic(id),
  issued_on DATE NOT NULL, due_on DATE NOT NULL, status TEXT NOT NULL, total_amount DECIMAL(10,2) NOT NULL
);
INSERT INTO invoice VALUES (1, 1, 1, '2026-10-03', '2026-11-03', 'Paid', 190), (2, 2, 1, '2026-10-20', '2026-11-20', 'Part paid', 300),
  (3, 3, 2, '2026-11-02', '2026-12-02', 'Open', 60), (4, 3, 2, '2026-09-01', '2026-10-01', 'Void', 40);
CREATE TABLE invoice_line (
  invoice_id INTEGER NOT NULL REFERENCES invoice(id), treatment_id INTEGER NOT NULL REFERENCES treatment(id), quantity INTEGER NOT NULL,
  unit_price DECIMAL(10,2) NOT NULL, discount_amount DECIMAL(10,2) NOT NULL DEFAULT 0, PRIMARY KEY (invoice_id, treatment_id)
);
INSERT INTO invoice_line VALUES (1, 1, 1, 150, 0), (1, 4, 2, 25, 10), (2, 2, 1, 300, 0), (3, 4, 2, 30, 0), (4, 3, 1, 40, 0);
CREATE TABLE payment (
  id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoice(id), paid_on DATE NOT NULL, amount DECIMAL(10,2) NOT NULL
);
INSERT INTO payment VALUES (1, 1, '2026-10-05', 190), (2, 2, '2026-10-25', 100);
CREATE TABLE recall (
  id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES patient(id), due_on DATE NOT NULL, sent_on DATE, status TEXT NOT NULL
);
INSERT INTO recall VALUES (1, 1, '2026-11-05', '2026-10-20', 'Booked'), (2, 2, '2026-10-05', NULL, 'Due'), (3, 3, '2026-10-09', '2026-09-20', 'Sent');
CREATE TABLE chair_hours (
  id INTEGER PRIMARY KEY, clinic_id INTEGER NOT NULL REFERENCES clinic(id), work_date DATE NOT NULL, hours_available REAL NOT NULL,
  hours_used REAL NOT NULL
);
INSERT INTO chair_hours VALUES (1, 1, '2026-10-01', 10, 8), (2, 2, '2026-10-01', 10, 5), (3, 2, '2026-10-02', 10, 6);
CREATE TABLE claim (
  id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoice(id), insurer TEXT NOT NULL, submitted_on DATE NOT NULL,
  decided_on DATE, rejected_on DATE, rejection_reason TEXT
);
INSERT INTO claim VALUES (1, 1, 'Unity', '2026-10-04', '2026-10-14', NULL, NULL), (2, 2, 'Unity', '2026-10-21', '2026-10-25', '2026-10-25', 'Not covered'),
  (3, 3, 'Cover', '2026-11-03', '2026-11-05', '2026-11-05', 'No cover'), (4, 4, 'Cover', '2026-09-03', '2026-09-05', '2026-10-02', 'Not covered');
CREATE TABLE parcel (
  id INTEGER PRIMARY KEY, clinic_id INTEGER NOT NULL REFERENCES clinic(id), week_starting DATE NOT NULL, created_at DATE NOT NULL,
  delivery_due_at DATE NOT NULL, delivered_at DATE
);
INSERT INTO parcel VALUES (1, 1, '2026-10-05', '2026-10-01', '2026-10-06', '2026-10-08'), (2, 1, '2026-10-12', '2026-10-08', '2026-10-13', '2026-10-13'),
  (3, 2, '2026-10-12', '2026-09-30', '2026-10-14', '2026-10-14'), (4, 2, '2026-11-16', '2026-11-11', '2026-11-18', NULL);
