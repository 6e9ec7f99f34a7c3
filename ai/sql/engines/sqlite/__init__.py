"""How SQLite is opened for reading, stopped and described. Door: `engine`."""
