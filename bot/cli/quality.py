"""`datathread audit` and `eval`: check receipts against what is stored, and ask golden questions again."""

import json
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import click

from bot.cli.access import SINCE, WHO, print_access
from bot.cli.sources import SOURCE, source_among


@click.command()
@click.argument("turn_id", required=False)
@WHO
@SINCE
def audit(turn_id: str | None, who: str, since: datetime | None) -> None:
    """Print the receipt of TURN_ID and check it against the stored SQL and rows; exit status 1 on a mismatch.

    With --who or --since, print who was told or refused what.
    """
    if who or since:
        print_access(who, since)
        return
    if turn_id is None:
        raise click.UsageError("Give a turn id, or --who or --since.")
    from ai.agents.querying.receipts import audit as audited
    from ai.answers.receipt import closing_lines, lines
    from ai.memory_store import open_configured
    from config import load

    with closing(open_configured(load())) as memory:
        found = audited(memory, turn_id)
    receipt = found.receipt
    click.echo("\n".join([*lines(receipt), receipt.sql, *closing_lines(receipt)]))
    rows = "SQL and rows are" if found.rows_kept else "the rows are no longer kept, the SQL is"
    click.echo("\n".join(f"FAILS {problem}" for problem in found.problems) or f"ok    {rows} as sealed")
    sys.exit(1 if found.problems else 0)


@click.command(name="eval")
@click.option(
    "--items", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="JSON lines: id, question, sql."
)
@SOURCE
@click.option("--role", "roles", multiple=True, help="Ask with the rights of this role; may be repeated.")
@click.option(
    "--out", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Written: all outcomes, as JSON."
)
def evaluate(items: Path | None, source: str | None, roles: tuple[str, ...], out: Path | None) -> None:
    """Ask accepted answers, and those of a file, again; exit status 1 when any is different."""
    from ai.agents.learning.golden import Examiner
    from ai.agents.learning.golden_sets import accepted, judgement, lines, read, record
    from bot.product import open_product
    from config import load

    with open_product(load()) as product:
        name = source_among(product.sources, source)
        semantics = product.context.definitions.of(name)
        examiner = Examiner(product.analyst, product.sources[name].seen_by(roles), semantics)
        golden = [*accepted(product.memory, name), *(read(items, datetime.now(UTC).date()) if items else ())]
        outcomes = []
        for one in golden:
            outcomes.append(examiner.outcome(one))
            click.echo("\n".join(lines(outcomes[-1])))
    same = sum(outcome.state == "same" for outcome in outcomes)
    click.echo(
        f"{same} of {len(golden)} golden questions are answered as before (definitions version {semantics.version})."
    )
    if told := judgement(outcomes):
        click.echo(told)
    if out:
        out.write_text(json.dumps([record(outcome) for outcome in outcomes], ensure_ascii=False, indent=1), "utf-8")
    sys.exit(0 if same == len(golden) else 1)
