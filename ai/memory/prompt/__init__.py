"""What of a thread a prompt or a reply holds: views, windows, summaries."""
