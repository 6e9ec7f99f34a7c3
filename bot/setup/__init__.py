"""What the settings name: the workspace file and the analyst."""
