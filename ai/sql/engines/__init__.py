"""How each kind of database is opened for reading and what it says about itself: one module per dialect.

A module here is the whole knowledge of one driver: connect, guard a connection while a query runs, interrupt it, tell its
errors apart, and read its catalogue. `ai.sql.database` is the only caller.
"""
