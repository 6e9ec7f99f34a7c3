"""The product over HTTP: chats, and readers of the memory, for callers whose token says what they may see."""
