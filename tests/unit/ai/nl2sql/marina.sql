-- A yacht club kept by hand: short and joined names, codes for values, link tables, keys named by their role.
CREATE TABLE Sailor (SID INTEGER PRIMARY KEY, FName TEXT NOT NULL, LName TEXT NOT NULL, Sex TEXT NOT NULL, Age INTEGER NOT NULL, homeport TEXT NOT NULL, coach INTEGER REFERENCES Trainer (tid));
CREATE TABLE Trainer (tid INTEGER PRIMARY KEY, tname TEXT NOT NULL, rnk TEXT);
CREATE TABLE Yacht (yid INTEGER PRIMARY KEY, yachtname TEXT NOT NULL, builder TEXT NOT NULL, len REAL NOT NULL, launchdate DATE NOT NULL, wifi TEXT NOT NULL, color TEXT);
CREATE TABLE Sails_On (SID INTEGER REFERENCES Sailor (SID), yid INTEGER REFERENCES Yacht (yid), since INTEGER NOT NULL);
CREATE TABLE Regatta (rid INTEGER PRIMARY KEY, title TEXT NOT NULL, num_of_visitors INTEGER NOT NULL, season INTEGER NOT NULL);
CREATE TABLE Entry (eid INTEGER PRIMARY KEY, rid INTEGER REFERENCES Regatta (rid), yid INTEGER REFERENCES Yacht (yid), result TEXT NOT NULL);

INSERT INTO Trainer VALUES (1, 'Kaya', 'senior'), (2, 'Moss', NULL);
INSERT INTO Sailor VALUES (1, 'Ann', 'Ost', 'F', 30, 'Kiel', 1), (2, 'Bert', 'Pohl', 'M', 41, 'Kiel', 1), (3, 'Cleo', 'Quinn', 'F', 22, 'Cork', 2), (4, 'Dirk', 'Rask', 'M', 22, 'Oslo', NULL);
INSERT INTO Yacht VALUES (1, 'Albatros', 'Hallberg', 12.5, '2001-05-01', 'Yes', 'white'), (2, 'Brise', 'Najad', 10.0, '1999-06-01', 'No', 'red'), (3, 'Comet', 'Hallberg', 9.5, '2015-07-01', 'Yes', 'white');
INSERT INTO Sails_On VALUES (1, 1, 2010), (1, 2, 2012), (2, 1, 2011), (3, 2, 2020);
INSERT INTO Regatta VALUES (1, 'Spring Cup', 900, 2019), (2, 'Autumn Cup', 400, 2021), (3, 'Ice Cup', 100, 2022);
INSERT INTO Entry VALUES (1, 1, 1, 'won'), (2, 1, 2, 'lost'), (3, 2, 1, 'lost'), (4, 2, 2, 'won'), (5, 3, 1, 'won');
