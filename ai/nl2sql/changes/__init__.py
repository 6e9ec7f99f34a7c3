"""Take a figure apart: the sums behind it, its explaining columns, and their SQL."""
