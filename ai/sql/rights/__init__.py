"""Who may read which tables, columns and rows."""
