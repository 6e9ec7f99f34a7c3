"""The demo: a database of an invented mobile-app company, and the product run on this machine."""
