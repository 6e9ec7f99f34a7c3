"""Results of queries: exact tables, their store on disk, and CSV made from it."""
