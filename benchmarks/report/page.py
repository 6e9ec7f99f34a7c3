"""The report as one page of Markdown: missed limits and worse figures first, then a table for each benchmark."""

from collections.abc import Iterator

from benchmarks.report.rows import Report, Row, Section

HEAD = """# Benchmarks

`make bench` wrote this page and [its figures](benchmarks.json); `make bench ONLY="search turns"` measures some of it anew.
A peer's figure is of the same run, and the number behind it how many times ours it is. “Since” compares with the report
before. Other work may share the machine: ratios within a run say more than figures, and each section names its load.
"""
TABLE = "| What | Ours | Beside | Limit | Since |\n|---|---|---|---|---|"


def page(report: Report) -> str:
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield HEAD
    yield "| | |\n|---|---|"
    yield from (f"| {name} | {fact} |" for name, fact in report.machine.items())
    yield ""
    yield from _at_a_glance(report)
    for section in report.sections:
        yield from _section(section)


def _at_a_glance(report: Report) -> Iterator[str]:
    rows = [(section, row) for section in report.sections for row in section.rows]
    limited = [row for _, row in rows if row.limit is not None]
    kept = sum(row.is_kept for row in limited)
    yield f"{len(rows)} figures; {kept} of {len(limited)} limits are kept.\n"
    yield from (
        f"- **Limit missed** in {_link(each)}: {row.what}, {written(row.figure, row.unit)}"
        for each, row in rows
        if not row.is_kept
    )
    yield from (
        f"- **Worse than before** in {_link(each)}: {row.what}, {change(row)}" for each, row in rows if row.is_worse
    )
    yield from (
        f"- **Not measured to its end**: {_link(each)}, {each.failed}" for each in report.sections if each.failed
    )
    yield ""


def _section(section: Section) -> Iterator[str]:
    yield f"## {section.title}\n\n{section.about}\n"
    yield (
        f"{section.size}; {section.seconds:.0f} s at a load of {section.load:g}, {section.at}, commit `{section.commit}`.\n"
    )
    yield from (f"- {note}" for note in section.notes)
    if section.notes:
        yield ""
    if section.failed:
        yield f"**Not measured to its end**: {section.failed}\n"
    if section.rows:
        yield TABLE
        yield from map(_row, section.rows)
        yield ""


def _row(row: Row) -> str:
    beside = "; ".join(
        f"{peer}: {written(theirs, row.unit)}" + (f" ({times:.2g}×)" if times is not None and times < 100 else "")
        for peer, theirs, times in row.multiples()
    )
    cells = (row.what, written(row.figure, row.unit), beside, _limit(row), change(row))
    return f"| {' | '.join(cells)} |"


def _limit(row: Row) -> str:
    if row.limit is None:
        return ""
    bound = f"at {'least' if row.more else 'most'} {written(row.limit, row.unit)}"
    return bound if row.is_kept else f"**missed**: {bound}"


def change(row: Row) -> str:
    if row.change is None:
        return "" if row.before is None or row.before == row.figure else f"was {written(row.before, row.unit)}"
    return f"{100 * row.change:+.0f} %" if abs(row.change) >= 0.005 else "the same"


def written(figure: float, unit: str) -> str:
    """Write a figure with three digits that count, whole when it has more before the point."""
    text = f"{figure:,.0f}" if figure == int(figure) or abs(figure) >= 100 else f"{float(f'{figure:.3g}'):g}"
    return f"{text} {unit}".strip()


def _link(section: Section) -> str:
    kept = (
        letter if letter.isalnum() or letter == "-" else "-" if letter == " " else ""
        for letter in section.title.lower()
    )
    return f"[{section.title}](#{''.join(kept)})"
