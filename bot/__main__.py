"""`python -m bot`: the command line."""

from bot.cli.main import main

main()
