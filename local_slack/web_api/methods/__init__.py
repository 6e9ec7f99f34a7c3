"""What each Web API method does: one module per family, one function per method, one table of them all (`registry`)."""
