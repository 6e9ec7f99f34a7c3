"""How DuckDB is opened for reading, stopped and described. Door: `engine`."""
