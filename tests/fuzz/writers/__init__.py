"""Writers of sentences about random results: each with tables, forms and a style of its own.

A writer knows what is true because it made it; it shares no code with the checking. Each piece of a sentence that says
something of the result knows what it would say wrongly, so a corrupted sentence has just one wrong piece.
"""
