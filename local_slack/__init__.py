"""A small Slack on this machine, for demos and tests of any Bolt app. See README.md beside this file."""
