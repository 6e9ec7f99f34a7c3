"""Measures which lines of the product the tests run in their own processes: `make coverage`."""
