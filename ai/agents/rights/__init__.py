"""Rights on kept queries and on messages."""
