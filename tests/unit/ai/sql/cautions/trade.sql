-- Wholesale in the manner of TPC-H: regions, nations, suppliers, parts and line items with a key of two columns.
CREATE TABLE region (r_regionkey INTEGER PRIMARY KEY, r_name TEXT NOT NULL);
CREATE TABLE nation (n_nationkey INTEGER PRIMARY KEY, n_name TEXT NOT NULL, n_regionkey INTEGER NOT NULL REFERENCES region (r_regionkey));
CREATE TABLE supplier (s_suppkey INTEGER PRIMARY KEY, s_name TEXT NOT NULL, s_nationkey INTEGER NOT NULL REFERENCES nation (n_nationkey), s_acctbal NUMERIC NOT NULL);
CREATE TABLE customer (c_custkey INTEGER PRIMARY KEY, c_name TEXT NOT NULL, c_nationkey INTEGER NOT NULL REFERENCES nation (n_nationkey), c_mktsegment TEXT NOT NULL, c_acctbal NUMERIC NOT NULL);
CREATE TABLE part (p_partkey INTEGER PRIMARY KEY, p_name TEXT NOT NULL, p_brand TEXT NOT NULL, p_type TEXT NOT NULL, p_size INTEGER NOT NULL, p_container TEXT NOT NULL);
CREATE TABLE partsupp (ps_partkey INTEGER NOT NULL REFERENCES part (p_partkey), ps_suppkey INTEGER NOT NULL REFERENCES supplier (s_suppkey), ps_availqty INTEGER NOT NULL, ps_supplycost NUMERIC NOT NULL, PRIMARY KEY (ps_partkey, ps_suppkey));
CREATE TABLE orders (o_orderkey INTEGER PRIMARY KEY, o_custkey INTEGER NOT NULL REFERENCES customer (c_custkey), o_orderstatus TEXT NOT NULL, o_totalprice NUMERIC NOT NULL, o_orderdate DATE NOT NULL, o_orderpriority TEXT NOT NULL);
CREATE TABLE lineitem (l_orderkey INTEGER NOT NULL REFERENCES orders (o_orderkey), l_linenumber INTEGER NOT NULL, l_partkey INTEGER NOT NULL, l_suppkey INTEGER NOT NULL, l_quantity NUMERIC NOT NULL, l_extendedprice NUMERIC NOT NULL, l_discount NUMERIC NOT NULL, l_tax NUMERIC NOT NULL, l_returnflag TEXT NOT NULL, l_linestatus TEXT NOT NULL, l_shipdate DATE NOT NULL, l_commitdate DATE NOT NULL, l_receiptdate DATE NOT NULL, l_shipmode TEXT NOT NULL, PRIMARY KEY (l_orderkey, l_linenumber), FOREIGN KEY (l_partkey, l_suppkey) REFERENCES partsupp (ps_partkey, ps_suppkey));
INSERT INTO region VALUES (1,'EUROPE'),(2,'ASIA');
INSERT INTO nation VALUES (1,'GERMANY',1),(2,'FRANCE',1),(3,'CHINA',2);
INSERT INTO supplier VALUES (1,'Supplier 1',1,100),(2,'Supplier 2',3,50);
INSERT INTO customer VALUES (1,'Customer 1',1,'BUILDING',10),(2,'Customer 2',2,'AUTOMOBILE',20),(3,'Customer 3',3,'BUILDING',30);
INSERT INTO part VALUES (1,'steel bolt','Brand#12','SMALL STEEL',5,'SM BOX'),(2,'brass nut','Brand#23','LARGE BRASS',15,'MED BOX');
INSERT INTO partsupp VALUES (1,1,100,1),(1,2,50,2),(2,2,70,3);
INSERT INTO orders VALUES (1,1,'F',100,'1994-02-01','1-URGENT'),(2,2,'O',200,'1995-03-10','2-HIGH'),(3,3,'F',300,'1994-07-15','1-URGENT'),(4,1,'O',400,'1996-12-31','5-LOW'),(5,2,'F',150,'1993-08-01','3-MEDIUM'),(6,3,'O',80,'1998-11-30','4-NOT');
INSERT INTO lineitem VALUES (1,1,1,1,10,100,0.1,0.02,'R','F','1994-03-01','1994-03-05','1994-03-09','MAIL'),(1,2,2,2,5,50,0,0.02,'N','F','1994-03-02','1994-03-03','1994-03-10','SHIP'),(2,1,1,2,7,70,0.05,0.02,'N','O','1995-04-01','1995-04-02','1995-04-03','MAIL'),(3,1,2,2,3,90,0.06,0.02,'R','F','1994-08-01','1994-07-20','1994-08-10','AIR'),(4,1,1,1,30,300,0.02,0.02,'N','O','1996-12-31','1997-01-05','1997-01-09','TRUCK'),(5,1,1,1,4,40,0,0,'A','F','1993-09-01','1993-09-05','1993-09-09','RAIL'),(6,1,2,2,2,60,0,0,'N','O','1998-12-01','1998-12-05','1998-12-09','AIR');
