"""What people taught: accepted answers and approved rules."""
