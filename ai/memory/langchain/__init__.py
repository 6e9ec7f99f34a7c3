"""The log with the types of LangChain."""
