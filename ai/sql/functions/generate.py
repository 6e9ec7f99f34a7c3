"""Makes `sqlite.txt` from the function list of the SQLite that runs this: `python -m ai.sql.functions.generate`.

A function is kept when it is built in, is neither internal nor "direct only", and SQLite itself calls it innocuous or
deterministic. Left out by hand is what tells about the server or the connection instead of about the data.
"""

import sqlite3
from pathlib import Path

DETERMINISTIC, DIRECT_ONLY, INNOCUOUS = 0x800, 0x80000, 0x200000
TELLS_ABOUT_THE_SERVER = frozenset(
    "changes total_changes last_insert_rowid sqlite_version sqlite_source_id sqlite_log "
    "sqlite_compileoption_get sqlite_compileoption_used subtype".split()
)
OPERATORS = frozenset({"->", "->>"})
# Pure functions of SQLite 3.41 to 3.50; an older SQLite answers "no such function", which is just as safe.
NEWER = frozenset(
    "concat concat_ws if iif string_agg octet_length timediff unhex unistr unistr_quote json_error_position json_pretty "
    "jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch "
    "jsonb_remove jsonb_replace jsonb_set median percentile percentile_cont percentile_disc".split()
)


def sqlite_functions(connection: sqlite3.Connection) -> list[str]:
    """Names of the pure built-in functions, sorted, with those of newer versions."""
    rows = connection.execute("SELECT name, flags FROM pragma_function_list WHERE builtin")
    pure = {name for name, flags in rows if flags & (DETERMINISTIC | INNOCUOUS) and not flags & DIRECT_ONLY}
    return sorted((pure | NEWER) - TELLS_ABOUT_THE_SERVER - OPERATORS)


def main() -> None:
    head = f"# Made by ai/sql/functions/generate.py from SQLite {sqlite3.sqlite_version}; do not edit.\n"
    with sqlite3.connect(":memory:") as connection:
        names = sqlite_functions(connection)
    Path(__file__).with_name("sqlite.txt").write_text(head + "\n".join(names) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
