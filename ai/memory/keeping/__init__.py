"""How long things are kept: edits, retention, erasure, export."""
