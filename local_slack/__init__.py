"""A small Slack on this machine: workspace, Web API, Socket Mode, files and a page, for the demo and as the judge of the tests.

It speaks only the wire. It imports nothing of the bot it serves, and the bot cannot tell it from Slack except by its address.
"""
