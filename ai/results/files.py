"""Files made of a result: CSV, zipped or divided when too large to send, and Excel workbooks."""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from ai.errors import UserError
from ai.results.cells import Block
from ai.results.csv import Lines, header, lines
from ai.results.frames import arrow_table
from ai.results.sheets import SHEET_COLUMNS, SHEET_ROWS, SheetNames, Sheets
from ai.results.table import ResultColumn, titles

FileKind: TypeAlias = Literal["csv", "xlsx", "parquet"]
AT_ONCE = 1024 * 1024  # bytes
PARQUET_BYTES = 512 * AT_ONCE  # of cells, held in memory


@dataclass(frozen=True, slots=True)
class FileRules:
    """How files are written; `file_bytes` bounds a file (Slack takes 1 GB)."""

    formula_guard: bool = True
    bom: bool = False
    file_bytes: int = 10**9
    sheet_rows: int = SHEET_ROWS
    zip: bool = True


@dataclass(frozen=True, slots=True)
class Written:
    """The files so far, their rows, and notes on what they lack."""

    paths: tuple[Path, ...] = ()
    rows: int = 0
    notes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows for a sheet of a workbook."""

    title: str
    columns: Sequence[ResultColumn]
    blocks: Iterable[Block]


def write_files(
    kind: FileKind, stem: Path, columns: Sequence[ResultColumn], blocks: Iterable[Block], rules: FileRules
) -> Iterator[Written]:
    """Write rows to `stem` with the ending of the kind; yield the progress, the whole at last."""
    return WRITERS[kind](stem, columns, blocks, rules)


def write_csv_files(
    stem: Path, columns: Sequence[ResultColumn], blocks: Iterable[Block | Lines], rules: FileRules
) -> Iterator[Written]:
    """Write CSV as `write_files` does, also of rows that are lines already."""
    first = header(columns, formula_guard=rules.formula_guard, bom=rules.bom)
    done, file = Written((_numbered(stem, 1),)), _numbered(stem, 1).open("wb")
    try:
        file.write(first)
        for block in blocks:
            for text in _pieces(block, rules, rules.file_bytes - len(first)):
                if file.tell() + len(text) > rules.file_bytes:
                    file.close()
                    done = replace(done, paths=(*done.paths, _numbered(stem, len(done.paths) + 1)))
                    file = done.paths[-1].open("wb")
                    file.write(first)
                file.write(text)
            done = replace(done, rows=done.rows + block.row_count)
            yield done
    finally:
        file.close()
    yield _sendable(done, len(first), rules) if len(done.paths) > 1 else done


def _sendable(done: Written, header_size: int, rules: FileRules) -> Written:
    if rules.zip and (path := _zipped(done.paths, header_size, rules.file_bytes)):
        return replace(done, paths=(path,), notes=("It is zipped, because as a CSV it would be too large.",))
    said = f"It is divided into {len(done.paths)} files, each with the header, because one would be too large."
    return replace(done, notes=(said,))


def _zipped(parts: Sequence[Path], header: int, most: int) -> Path | None:
    """Zip the parts of one CSV, each with a header of so many bytes; None beyond `most` bytes."""
    path = parts[0].with_suffix(".zip")
    if _packed(path, parts, header, most):
        for part in parts:
            part.unlink()
        return path
    path.unlink()
    return None


def _packed(path: Path, parts: Sequence[Path], header: int, most: int) -> bool:
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open(parts[0].name, "w", force_zip64=True) as whole,
    ):
        for piece in _bytes_of(parts, header):
            whole.write(piece)
            if path.stat().st_size > most:
                return False
    return path.stat().st_size <= most


def _bytes_of(parts: Sequence[Path], header: int) -> Iterator[bytes]:
    for number, part in enumerate(parts):
        with part.open("rb") as rows:
            rows.seek(header if number else 0)
            while piece := rows.read(AT_ONCE):
                yield piece


def _pieces(block: Block | Lines, rules: FileRules, most: int) -> Iterator[bytes | memoryview]:
    text = block.joined() if isinstance(block, Lines) else lines(block, formula_guard=rules.formula_guard)
    if len(text) <= most or block.row_count == 1:
        yield text
        return
    half = block.row_count // 2
    yield from _pieces(block.part(0, half), rules, most)
    yield from _pieces(block.part(half, block.row_count), rules, most)


def _numbered(stem: Path, number: int) -> Path:
    return stem.with_name(f"{stem.name}{'' if number == 1 else f'-{number}'}.csv")


NO_WORKBOOKS = (
    "Excel workbooks are not set up here; ask for CSV, or ask an owner to run pip install 'datathread[excel]'."
)


def _xlsx(stem: Path, columns: Sequence[ResultColumn], blocks: Iterable[Block], rules: FileRules) -> Iterator[Written]:
    return write_workbook(stem, [Sheet("Rows", columns, blocks)], rules)


def write_workbook(stem: Path, parts: Sequence[Sheet], rules: FileRules) -> Iterator[Written]:
    """Write an Excel workbook of several results; yield the progress, the whole at last."""
    if (most := max(len(part.columns) for part in parts)) > SHEET_COLUMNS:
        raise UserError(f"Excel takes {SHEET_COLUMNS:,} columns and this has {most:,}; ask for CSV instead.")
    try:
        import xlsxwriter  # few need a workbook
    except ModuleNotFoundError:
        raise UserError(NO_WORKBOOKS) from None

    path = stem.with_name(f"{stem.name}.xlsx")
    done, notes = Written((path,)), dict[str, None]()
    with xlsxwriter.Workbook(str(path), {"constant_memory": True, "tmpdir": str(path.parent)}) as workbook:
        workbook.use_zip64()
        names = SheetNames()
        for part in parts:
            sheets = Sheets(workbook, titles(part.columns), rules.sheet_rows, partial(names.unused, part.title))
            for block in part.blocks:
                sheets.add(block)
                done = replace(done, rows=done.rows + block.row_count)
                yield done
            notes |= dict.fromkeys(sheets.notes())
    if path.stat().st_size > rules.file_bytes:
        raise UserError("As an Excel file this is too large to send; ask for CSV, which can be divided.")
    yield replace(done, notes=tuple(notes))


def _parquet(
    stem: Path, columns: Sequence[ResultColumn], blocks: Iterable[Block], rules: FileRules
) -> Iterator[Written]:
    """Write one Parquet file; its rows are in memory until then."""
    import pyarrow.parquet as pq  # few need one

    held = list[Block]()
    done = Written((stem.with_name(f"{stem.name}.parquet"),))
    for block in blocks:
        held.append(block)
        done = replace(done, rows=done.rows + block.row_count)
        if sum(each.size for each in held) > PARQUET_BYTES:
            raise UserError("As Parquet this is too large; ask for CSV, which can be divided.")
        yield done
    pq.write_table(arrow_table(columns, held), done.paths[0])
    if done.paths[0].stat().st_size > rules.file_bytes:
        raise UserError("As Parquet this is too large to send; ask for CSV, which can be divided.")
    yield done


WRITERS: dict[FileKind, Callable[[Path, Sequence[ResultColumn], Iterable[Block], FileRules], Iterator[Written]]] = {
    "csv": write_csv_files,
    "xlsx": _xlsx,
    "parquet": _parquet,
}
