"""Who may see a kept query, and who may hear what was said."""
