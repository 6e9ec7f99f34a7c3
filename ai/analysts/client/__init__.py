"""The one way to a language model: calls, deadline, book, faults. Door: `client`."""
