-- A warehouse of ferries whose names drop their vowels.
CREATE TABLE dim_vsl (vsl_id INTEGER PRIMARY KEY, vsl_nm TEXT NOT NULL, clr TEXT NOT NULL, acq_cst REAL NOT NULL);
CREATE TABLE dim_psgr (psgr_id INTEGER PRIMARY KEY, psgr_nm TEXT NOT NULL, seg_cd TEXT NOT NULL);
CREATE TABLE dim_hrb (hrb_id INTEGER PRIMARY KEY, hrb_nm TEXT NOT NULL, shelter TEXT NOT NULL);
CREATE TABLE fct_tkt (tkt_id INTEGER PRIMARY KEY, psgr_id INTEGER NOT NULL REFERENCES dim_psgr (psgr_id), vsl_id INTEGER NOT NULL REFERENCES dim_vsl (vsl_id), frm_hrb_id INTEGER NOT NULL REFERENCES dim_hrb (hrb_id), sold_dt DATE NOT NULL, grs_amt REAL NOT NULL, dsc_amt REAL NOT NULL);
CREATE TABLE fct_brk (brk_id INTEGER PRIMARY KEY, vsl_id INTEGER NOT NULL REFERENCES dim_vsl (vsl_id), svr INTEGER NOT NULL, fxd_dt DATE);
INSERT INTO dim_vsl VALUES (1, 'Heron', 'white', 900), (2, 'Tern', 'red', 700);
INSERT INTO dim_psgr VALUES (1, 'Ann', 'B'), (2, 'Bo', 'P'), (3, 'Cy', 'P');
INSERT INTO dim_hrb VALUES (1, 'Oban', 'full'), (2, 'Mallaig', 'none');
INSERT INTO fct_tkt VALUES (1, 1, 1, 1, '2026-10-02', 10, 1), (2, 1, 2, 1, '2026-10-09', 20, 0), (3, 2, 1, 2, '2026-11-03', 30, 3);
INSERT INTO fct_brk VALUES (1, 1, 3, '2026-10-04'), (2, 1, 1, NULL);
