"""Rows by `COPY … TO STDOUT`: written as text by the server, read as blocks by Arrow, no cell in Python."""

from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from io import BytesIO
from typing import Any

import psycopg
import pyarrow as pa
from psycopg import errors, generators, pq, waiting
from psycopg.abc import PQGen
from pyarrow import csv

from ai.errors import QueryFailed
from ai.results.cells import BLOCK_BYTES, Block
from ai.results.csv import Lines
from ai.sql.engines.texts import Load, column_of

Session = psycopg.Connection[tuple[Any, ...]]

PARSE = csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)


def copied(session: Session, sql: str, readings: Sequence[tuple[str, Load]]) -> Generator[Block]:
    """Stream a query as blocks; `readings` give the kind and the loader of each column."""
    with closing(copied_lines(session, sql)) as pieces:
        for piece in pieces:
            yield _block(piece.text, readings)


def copied_lines(session: Session, sql: str) -> Generator[Lines]:
    """Stream a query whose columns are fields of our CSV."""
    command = f"COPY ({sql}) TO STDOUT (FORMAT csv)".encode()
    begun = session.pgconn.exec_params(command, None)
    if begun.status != pq.ExecStatus.COPY_OUT:
        raise errors.error_from_result(begun, encoding="utf-8")
    try:
        yield from _pieces(session)
    except GeneratorExit:  # nobody wants more rows
        if session.pgconn.transaction_status == pq.TransactionStatus.ACTIVE:
            with suppress(errors.QueryCanceled):
                session.cancel_safe()
                for _ in _pieces(session):
                    pass
        raise


def _pieces(session: Session) -> Generator[Lines]:
    """Join the buffers still coming: holding ten thousand of the driver's takes longer."""
    held, ends, connection = bytearray(), list[int](), session.pgconn
    while True:
        length, row = connection.get_copy_data(1)
        if length < 0:
            break
        if not length:
            session.wait(_arriving(connection))
            continue
        if held and len(held) + length > BLOCK_BYTES:
            yield Lines(bytes(held), ends)
            held, ends = bytearray(), []
        held += row
        ends.append(len(held))
    _finish(session)
    if held:
        yield Lines(bytes(held), ends)


def _finish(session: Session) -> None:
    for result in session.wait(generators.fetch_many(session.pgconn)):
        if result.status != pq.ExecStatus.COMMAND_OK:
            raise errors.error_from_result(result, encoding="utf-8")


def _arriving(connection: pq.abc.PGconn) -> PQGen[None]:
    while not (yield waiting.Wait.R):
        continue
    connection.consume_input()


def _block(piece: bytes, readings: Sequence[tuple[str, Load]]) -> Block:
    names = [f"c{number}" for number in range(len(readings))]
    reading = csv.ReadOptions(column_names=names, block_size=len(piece) + 1, use_threads=False)
    texts = csv.ConvertOptions(
        column_types=dict.fromkeys(names, pa.string()),
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )
    try:
        table = csv.read_csv(BytesIO(piece), reading, PARSE, texts)
    except pa.ArrowInvalid as error:
        raise QueryFailed(f"the rows do not read as UTF-8 text: {error}") from error
    columns = (column.combine_chunks() for column in table.columns)
    return Block.of_columns(column_of(texts, *how) for texts, how in zip(columns, readings, strict=True))
