"""Archives: ranges of a thread set aside, listed, loaded and restored."""
