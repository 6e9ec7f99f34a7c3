"""Measures which lines of the product the tests run, in all of their processes: `make coverage`."""
