"""The parts a question needs: each probe returns its finding, or raises with the cure."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from shutil import disk_usage
from tempfile import TemporaryFile
from time import time

from slack_sdk import WebClient

from ai.errors import ConfigError, SourceUnavailable
from ai.sql.database import Database
from bot.contact import greeted, quick_client
from bot.engine import TurnQueue
from bot.product import Product

Probe = Callable[[], str]
LEAST_FREE = 64 * 2**20  # bytes; an export takes more, a log and an index soon do
SILENCE = 6.0  # seconds; a receiver gives a sign of life every two, and is begun anew after ten without
NO_TABLES = "The database has no table that may be read; check DATABASE_URL and the rights of its account."
NO_REDIS = "Redis does not answer; check REDIS_URL and its server. Answers come without it, only slower."
NO_WORKER = "No process answers questions, and {} wait; start `datathread run`, or see its log."
NO_RECEIVER = "No process has listened to Slack for {:.0f} s; start `datathread run`, or see its log."
NEVER_HEARD = "No process listens to Slack; start `datathread run`."
NO_ROOM = "DATA_DIR {} has {:.0f} MB left; make room."


def kept(product: Product, queue: TurnQueue) -> Iterator[tuple[str, Probe]]:
    """Yield the parts that hold and answer questions, whether or not a bot runs."""
    yield "state", partial(state, product)
    if product.settings.results_store != "folder":
        yield "results", partial(results, product)
    if (answers := product.memory.parts.shared_cache()) is not None:
        yield "redis", partial(redis, answers)
    yield "engine", partial(engine, queue)
    yield "disk", partial(disk, product.settings.data_dir)


def running(product: Product, queue: TurnQueue) -> Iterator[tuple[str, Probe]]:
    """Yield every part that must work for the next question to be answered."""
    yield from kept(product, queue)
    for name, database in product.sources.items():
        yield f"source {name}", partial(reached, database)
    yield "model", partial(model, product)
    yield "workers", partial(workers, queue)
    yield "receiver", partial(receiver, product)
    if product.settings.has_slack:
        yield "slack", partial(slack, quick_client(product.settings))


def state(product: Product) -> str:
    product.memory.parts.ping()
    return "can be written"


def results(product: Product) -> str:
    kept = product.memory.parts.results
    kept.ping()
    return f"{kept.files.place} takes rows"


def redis(answers: Callable[[], bool]) -> str:
    if not answers():
        raise SourceUnavailable(NO_REDIS)
    return "answers"


def engine(queue: TurnQueue) -> str:
    queue.open()
    return f"can be written; {queue.pulse().waiting} questions wait"


def disk(folder: Path) -> str:
    try:
        with TemporaryFile(dir=folder) as file:
            file.write(b"x")
        free = disk_usage(folder).free
    except OSError as error:
        raise ConfigError(f"DATA_DIR {folder} takes no files ({error.strerror}); make it writable.") from None
    if free < LEAST_FREE:
        raise ConfigError(NO_ROOM.format(folder, free / 2**20))
    return f"{folder} takes files, {free / 2**30:.1f} GB are left"


def model(product: Product) -> str:
    product.ping_model()
    return product.analyst.name


def reached(database: Database) -> str:
    database.ping()
    return database.dialect.name


def described(database: Database) -> str:
    database.ping()
    if not (tables := database.catalog().tables):
        raise ConfigError(NO_TABLES)
    return f"{database.dialect.name}, {len(tables)} tables"


def workers(queue: TurnQueue) -> str:
    queue.open()
    pulse = queue.pulse()
    if not pulse.engines:
        raise SourceUnavailable(NO_WORKER.format(pulse.waiting))
    return f"{pulse.engines} answer; {pulse.waiting} questions wait, the oldest {pulse.lag:.0f} s"


def receiver(product: Product) -> str:
    product.memory.parts.ping()
    if not (last := product.memory.lines.last_beat()):
        raise SourceUnavailable(NEVER_HEARD)
    if (silence := time() - last) > SILENCE:
        raise SourceUnavailable(NO_RECEIVER.format(silence))
    return "listens to Slack"


def slack(client: WebClient) -> str:
    greeting = greeted(client, (0.0,))
    return f"{greeting.name} in {greeting.team}{', installed for the whole organisation' * greeting.is_org_install}"
