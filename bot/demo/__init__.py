"""What a newcomer gets without any setting: a database of an invented mobile-app company, and the product run locally.

Owns what is in that database, when it is built anew, and the processes of a local run. To the agents the database is one
more SQLite file behind a URL, and to the bot the local Slack is one more address.
"""
