-- A bookshop as many webshops keep theirs: bills with a total, lines with a price and a quantity, people with two names.
CREATE TABLE Genre (GenreId INTEGER PRIMARY KEY, Name TEXT NOT NULL);
CREATE TABLE Writer (WriterId INTEGER PRIMARY KEY, Name TEXT NOT NULL);
CREATE TABLE Book (
  BookId INTEGER PRIMARY KEY, Title TEXT NOT NULL, WriterId INTEGER NOT NULL REFERENCES Writer (WriterId),
  GenreId INTEGER NOT NULL REFERENCES Genre (GenreId), Pages INTEGER NOT NULL, UnitPrice NUMERIC NOT NULL,
  Translator TEXT
);
CREATE TABLE Clerk (
  ClerkId INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL, HireDate DATE NOT NULL,
  ReportsTo INTEGER REFERENCES Clerk (ClerkId)
);
CREATE TABLE Customer (
  CustomerId INTEGER PRIMARY KEY, FirstName TEXT NOT NULL, LastName TEXT NOT NULL, City TEXT, Country TEXT NOT NULL,
  Phone TEXT, SupportClerkId INTEGER REFERENCES Clerk (ClerkId)
);
CREATE TABLE Bill (
  BillId INTEGER PRIMARY KEY, CustomerId INTEGER NOT NULL REFERENCES Customer (CustomerId), BillDate DATE NOT NULL,
  BillingCountry TEXT NOT NULL, Total NUMERIC NOT NULL
);
CREATE TABLE BillLine (
  BillLineId INTEGER PRIMARY KEY, BillId INTEGER NOT NULL REFERENCES Bill (BillId),
  BookId INTEGER NOT NULL REFERENCES Book (BookId), UnitPrice NUMERIC NOT NULL, Quantity INTEGER NOT NULL
);

INSERT INTO Genre VALUES (1, 'Crime'), (2, 'Poetry'), (3, 'Science'), (4, 'Travel');
INSERT INTO Writer VALUES (1, 'Ada/Bo'), (2, 'Iris Holm'), (3, 'Karl Moe');
INSERT INTO Book VALUES
  (1, 'Ash', 1, 1, 320, 12, 'Tove Lind'), (2, 'Birch', 1, 1, 280, 10, NULL), (3, 'Cedar', 2, 2, 90, 8, 'Tove Lind'),
  (4, 'Dune Grass', 2, 3, 410, 30, NULL), (5, 'Elm', 3, 3, 150, 20, NULL), (6, 'Fern', 3, 1, 200, 9, NULL), (7, 'Karl Moe', 2, 3, 60, 5, NULL),
  (8, 'Gorse: a history of hedges, of those who cut them, and of all who ever got lost between two of them', 2, 3, 75, 9, NULL);
INSERT INTO Clerk VALUES (1, 'Mia', 'Voss', '2019-04-01', NULL), (2, 'Ole', 'Berg', '2023-08-15', 1), (3, 'Una', 'Lind', '2024-02-01', 1);
INSERT INTO Customer VALUES
  (1, 'Lea', 'Zorn', 'Bergen', 'Norway', '111', 1), (2, 'Tim', 'Adler', 'Oslo', 'Norway', NULL, 1),
  (3, 'Zoe', 'Moreau', 'Lyon', 'France', '333', 2), (4, 'Ben', 'Cole', 'Leeds', 'United Kingdom', '444', 1);
INSERT INTO Bill VALUES
  (1, 1, '2025-03-02', 'Norway', 22), (2, 1, '2026-10-05', 'Norway', 60), (3, 2, '2026-10-20', 'Norway', 8),
  (4, 3, '2026-11-03', 'France', 44);
INSERT INTO BillLine VALUES
  (1, 1, 1, 12, 1), (2, 1, 2, 10, 1), (3, 2, 4, 30, 2), (4, 3, 3, 8, 1), (5, 4, 1, 12, 2), (6, 4, 5, 20, 1);
CREATE TABLE Delivery (
  DeliveryId INTEGER PRIMARY KEY, BillId INTEGER NOT NULL REFERENCES Bill (BillId), ClerkId INTEGER REFERENCES Clerk (ClerkId),
  SentOn DATE, ReceiverName TEXT, Postage NUMERIC NOT NULL
);
INSERT INTO Delivery VALUES (1, 1, 2, '2025-03-04', 'L. Zorn', 4), (2, 2, 2, '2026-10-06', 'L. Zorn', 6), (3, 4, 3, NULL, 'Moreau', 8);
