"""Write the settings as a table. `python -m bot.setup.settings_table` prints that of docs/settings.md."""

from config import SECRETS, Settings


def settings_table() -> str:
    """Return the settings as the Markdown table of docs/settings.md."""
    lines = ["| Variable | Default | Unit | What it is for |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        extra = field.json_schema_extra
        unit = extra.get("unit", "") if isinstance(extra, dict) else ""
        default = "" if field.default is None else f"`{field.default}`"
        also = f", `{name.upper()}_FILE`" if name.upper() in SECRETS else ""
        lines.append(f"| `{name.upper()}`{also} | {default} | {unit} | {field.description} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(settings_table(), end="")  # noqa: T201 - printing the table is what this command is for
