"""MariaDB and MySQL databases."""
