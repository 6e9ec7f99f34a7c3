"""DuckDB files, each query in a child process."""
