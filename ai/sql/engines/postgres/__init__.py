"""How PostgreSQL is opened for reading, stopped and described. Door: `engine`."""
