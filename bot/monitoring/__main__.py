"""Print the table of docs/monitoring.md."""

from bot.monitoring.metrics import table

if __name__ == "__main__":
    print(table(), end="")  # noqa: T201 - printing the table is what this command is for
