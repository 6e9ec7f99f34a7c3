"""The tests, by how much of the real system they start."""
