"""The workspace itself: plain data, without HTTP and connections."""
