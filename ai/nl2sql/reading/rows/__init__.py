"""Which rows count, and by which of their days."""
