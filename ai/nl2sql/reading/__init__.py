"""From constituents to whole meanings, with the assumptions made."""
