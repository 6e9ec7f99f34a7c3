"""The demo's own data: a database of an invented mobile-app company, so that a newcomer needs none.

Owns what is in that database and when it is built anew. Knows neither Slack nor the agents: to them it is one more
SQLite file behind a URL.
"""
