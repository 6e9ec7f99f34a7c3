"""Rights of a call: tokens, permits, rate limits and planned faults."""
