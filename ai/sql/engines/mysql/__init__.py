"""How MariaDB and MySQL is opened for reading, stopped and described. Door: `engine`."""
