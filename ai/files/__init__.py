"""Files of text, read within bounds and written whole: JSON lines, YAML."""
