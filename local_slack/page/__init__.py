"""The page in the browser: its endpoints and event streams. `static/` holds the page itself."""
