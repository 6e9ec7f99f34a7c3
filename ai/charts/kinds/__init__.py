"""One drawing per kind of chart."""
