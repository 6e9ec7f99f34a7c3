"""The guard: which SQL may run, and its text as it runs. Door: `judge`."""
