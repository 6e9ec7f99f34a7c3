"""What a figure is made of: the sums behind it, the columns that may explain it, and the SQL that asks for them."""
