"""What a message asks for, read by patterns. Pure."""
