"""The product over HTTP: chats, and the memory within a caller's rights."""
