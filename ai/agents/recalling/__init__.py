"""Answer about the conversation by plain code: sayings and speakers, decisions, questions and findings."""
