"""Ask the question sets of companies, those of the reader's making and those kept apart; print their figures."""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.corpora.companies import CORPORA, HELD, asked, build, sets


def main() -> None:
    print(f"{'set':28}{'messages':>10}{'right %':>10}{'wrong %':>10}")
    with TemporaryDirectory() as temporary:
        databases = Path(temporary) / "databases"
        databases.mkdir()
        build(databases)
        for items in (*sets(CORPORA), *sets(HELD)):
            found = asked(items, databases, Path(temporary))
            shares = (100 * found[verdict] / found.total() for verdict in ("right", "wrong"))
            name = f"{items.stem}{', kept apart' * (items.parent == HELD)}"
            print(f"{name:28}{found.total():10}" + "".join(f"{share:10.1f}" for share in shares), flush=True)


if __name__ == "__main__":
    main()
