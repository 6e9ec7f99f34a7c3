"""Rows as they arrive, gathered into blocks that are worth the effort of writing and still small in memory."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from ai.results.cells import Block
from ai.results.table import Row

BLOCK_ROWS = 5_000
BLOCK_BYTES = 1024 * 1024


def gathered_rows(pieces: Iterable[Sequence[Row]], size_of: Callable[[Sequence[Row]], int]) -> Iterator[Block]:
    """Blocks of rows; one is full by rows, or by bytes as `size_of` counts those of a piece."""
    held: list[Row] = []
    size = 0
    for piece, new in _small(pieces, size_of):
        if held and (len(held) + len(piece) > BLOCK_ROWS or size + new > BLOCK_BYTES):
            yield Block.of(held)
            held, size = [], 0
        held += piece
        size += new
    if held:
        yield Block.of(held)


def gathered_blocks(pieces: Iterable[Block]) -> Iterator[Block]:
    """Small blocks joined; one that is big enough stays what it is."""
    held: list[Block] = []
    rows = size = 0
    for piece in pieces:
        new = piece.size
        if held and (rows + piece.row_count > BLOCK_ROWS or size + new > BLOCK_BYTES):
            yield Block.joined(held)
            held, rows, size = [], 0, 0
        held.append(piece)
        rows, size = rows + piece.row_count, size + new
    if held:
        yield Block.joined(held)


def _small(
    pieces: Iterable[Sequence[Row]], size_of: Callable[[Sequence[Row]], int]
) -> Iterator[tuple[Sequence[Row], int]]:
    """The pieces with their sizes; what is more than a block takes is halved."""
    for piece in pieces:
        size, half = size_of(piece), len(piece) // 2
        if size > BLOCK_BYTES and half:
            yield from _small((piece[:half], piece[half:]), size_of)
        else:
            yield piece, size
