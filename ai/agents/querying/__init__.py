"""From a question to kept rows, receipts and verdicts."""
