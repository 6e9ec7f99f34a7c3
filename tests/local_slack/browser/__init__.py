"""The page of the local Slack in a real Chromium; what it shows comes from the real server over HTTP."""
