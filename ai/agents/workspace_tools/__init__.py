"""The tools of seed 003: nine for workspaces and states, one to search them, and the envelope that calls them."""
