"""Shared by engines on a network: a pool, cutting a connection, errors without the password."""

import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote, quote_plus

from sqlalchemy import create_engine
from sqlalchemy.engine import URL, Engine
from sqlalchemy.pool import PoolProxiedConnection

CONNECT_SECONDS = 10
IDLE_CONNECTIONS = 4
OLDEST_SECONDS = 1800
GRACE_SECONDS = 0.5  # after the server's own time limit, before the connection is cut


def pooled(url: URL, connect: Callable[[], Any]) -> Engine:
    return create_engine(
        url,
        creator=connect,
        pool_size=IDLE_CONNECTIONS,
        max_overflow=-1,  # the door to the database bounds its queries
        pool_recycle=OLDEST_SECONDS,
        pool_pre_ping=True,
        hide_parameters=True,
    )


@contextmanager
def lent(engine: Engine) -> Iterator[PoolProxiedConnection]:
    connection = engine.raw_connection()
    well = False
    try:
        yield connection
        well = True
    finally:
        if not well:
            connection.invalidate()
        connection.close()


def cut(descriptor: int) -> None:
    """Shut a network connection down at once: the waiting call fails."""
    with suppress(OSError), socket.socket(fileno=os.dup(descriptor)) as line:
        line.shutdown(socket.SHUT_RDWR)


def without_password(text: str, url: URL) -> str:
    password = str(url.password or "")
    for spelling in {password, quote(password, safe=""), quote_plus(password)} - {""}:
        text = re.sub(rf"(?<!\w){re.escape(spelling)}(?!\w)", "***", text)  # a short one is part of many words
    return text
