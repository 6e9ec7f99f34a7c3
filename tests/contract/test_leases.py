"""Every kind of lease tells the living from the dead, and lets one engine sweep at a time."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from bot.engine import TurnQueue
from bot.engine.leases import FileLeases, Leases
from bot.engine.leases.postgres import AdvisoryLeases
from tests.postgres import Postgres
from tests.wait import until


@pytest.fixture
def url(server: Postgres) -> sa.URL:
    return sa.make_url(server.new_database()).set(drivername="postgresql+psycopg")


@pytest.fixture(params=["files", "advisory"])
def engines(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Leases, Leases]]:
    """The leases as two engines of one database see them."""
    ours: Leases
    theirs: Leases
    if request.param == "files":
        ours, theirs = FileLeases(tmp_path / "leases"), FileLeases(tmp_path / "leases")
    else:
        url = request.getfixturevalue("url")
        ours, theirs = AdvisoryLeases(url), AdvisoryLeases(url)
    yield ours, theirs
    ours.close()
    theirs.close()


def test_a_held_lease_is_not_free_until_it_is_given_back(engines: tuple[Leases, Leases]) -> None:
    ours, theirs = engines
    ours.hold("bot-1")
    theirs.hold("bot-2")
    assert (theirs.is_free("bot-1"), ours.is_free("bot-2")) == (False, False)
    ours.close()
    until(lambda: theirs.is_free("bot-1"))
    theirs.close()
    until(lambda: ours.is_free("bot-2"))


def test_a_lease_that_was_never_held_is_free_and_asking_does_not_take_it(engines: tuple[Leases, Leases]) -> None:
    ours, theirs = engines
    assert ours.is_free("bot-1")
    until(lambda: theirs.is_free("bot-1"))


def test_one_sweeps_at_a_time(engines: tuple[Leases, Leases]) -> None:
    ours, theirs = engines
    with ours.alone() as we, theirs.alone() as they:
        assert (we, they) == (True, False)

    def their_turn() -> bool:
        with theirs.alone() as they:
            return they

    until(their_turn)


def test_a_lease_that_the_server_dropped_is_held_again_before_anybody_sweeps(server: Postgres, url: sa.URL) -> None:
    ours, theirs = AdvisoryLeases(url, settling_seconds=0.2), AdvisoryLeases(url)
    ours.hold("bot-1")
    with server.connect() as session:
        session.execute(f'ALTER DATABASE "{url.database}" ALLOW_CONNECTIONS false'.encode())
        session.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
        with pytest.raises(sa.exc.OperationalError), ours.alone():
            pass
        session.execute(f'ALTER DATABASE "{url.database}" ALLOW_CONNECTIONS true'.encode())
    assert theirs.is_free("bot-1")
    with ours.alone() as alone:
        assert not alone
    assert not theirs.is_free("bot-1")

    def may_sweep() -> bool:
        with ours.alone() as alone:
            return alone

    until(may_sweep)
    ours.close()


def test_a_session_that_the_server_ended_is_opened_again_at_once(server: Postgres, url: sa.URL) -> None:
    ours, theirs = AdvisoryLeases(url), AdvisoryLeases(url)
    ours.hold("bot-1")
    with server.connect() as session:
        session.execute("SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'")
    until(lambda: theirs.is_free("bot-1"), what="the lease to be dropped")
    ours.renew()
    assert not theirs.is_free("bot-1")
    ours.close()


def test_the_pulse_counts_the_engines_that_live(
    engines: tuple[Leases, Leases], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    ours, theirs = engines
    url = sa.make_url(f"sqlite:///{tmp_path}/engine.sqlite")
    if isinstance(ours, AdvisoryLeases):
        url = request.getfixturevalue("url")
    with closing(TurnQueue(url.render_as_string(hide_password=False), tmp_path)) as queue:
        queue.open()
        assert queue.pulse().engines == 0
        ours.hold("bot-1")
        theirs.hold("bot-2")
        assert queue.pulse().engines == 2
        ours.close()
        until(lambda: queue.pulse().engines == 1)
