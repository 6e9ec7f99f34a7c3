"""What words mean in a database: metrics, synonyms, dates, hidden tables."""
