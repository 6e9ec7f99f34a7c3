"""`python -m bot`: the command line."""

from bot.cli import main

main()
