"""`datathread audit` and `eval`: check receipts against what is stored, and ask golden questions again."""

import json
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from bot.cli.access import SINCE, WHO, print_access
from bot.cli.sources import SOURCE, source_among

if TYPE_CHECKING:
    from ai.agents.querying.receipts import Audit


@click.command()
@click.argument("turn_id", required=False)
@click.option("--seal", help="Check the seal of a receipt that somebody kept.")
@WHO
@SINCE
def audit(turn_id: str | None, seal: str | None, who: str, since: datetime | None) -> None:
    """Check the receipt of TURN_ID, of a seal, or all of them; exit status 1 when anything was changed or deleted.

    With --who or --since, print who was told or refused what.
    """
    if who or since:
        print_access(who, since)
        return
    from ai.agents.querying.receipts import audit as audited
    from ai.agents.querying.receipts import audit_all, audit_seal
    from ai.memory_store import open_configured
    from config import load

    if turn_id and seal:
        raise click.UsageError("Give a turn or a seal, not both.")
    with closing(open_configured(load())) as memory:
        if not (turn_id or seal):
            whole = audit_all(memory)
            fits = f"{whole.sealed} receipts are as sealed, {whole.erased} are forgotten"
            _judge(whole.problems, fits)
        found = audit_seal(memory, seal) if seal else audited(memory, turn_id or "")
    _print(found)


def _print(found: "Audit") -> NoReturn:
    from ai.answers.receipt import closing_lines, lines

    if receipt := found.receipt:
        told = [*lines(receipt), receipt.sql, *closing_lines(receipt), f"Seal: {found.seal}"]
        click.echo("\n".join([*told, *found.notes]))
        fits = "words, SQL and rows are" if found.rows_kept else "the rows are no longer kept, words and SQL are"
        _judge(found.problems, f"{fits} as sealed")
    _judge(found.problems, " ".join(found.notes))


def _judge(problems: Sequence[str], fits: str) -> NoReturn:
    click.echo("\n".join(f"FAILS {problem}" for problem in problems) or f"ok    {fits}")
    sys.exit(1 if problems else 0)


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
