"""Restore a backup into empty stores, of either kind of database; the memory comes last."""

import os
from contextlib import ExitStack
from pathlib import Path, PurePosixPath
from shutil import copyfile, rmtree

from ai.errors import ConfigError, Corrupt
from ai.memory.seals import chain_keys, seal_from
from ai.memory.stores import fill, require_empty, require_step
from bot.cli.backup import manifest
from bot.cli.backup.making import FILES, QUEUE, RESULTS, STATE
from bot.cli.backup.manifest import DAMAGED, Manifest
from bot.cli.backup.places import KEY, BackupPlaces
from bot.engine import empty_queue, fill_queue, require_empty_queue

ROWS_THERE = "DATA_DIR holds results or files of threads already: restore into a DATA_DIR of its own."
OTHER_KEY = (
    "RECEIPT_KEY_FILE is not the key that sealed the receipts of the backup {}: give the key of the bot that made it."
)


def restore(places: BackupPlaces, folder: Path) -> Manifest:
    """Put a backup into empty stores. Raises ConfigError, SourceUnavailable or Corrupt, and changes nothing then."""
    known = manifest.read(folder)
    require_step(known.step)
    _require_key(places, folder, known)
    _require_empty(places, known)
    with ExitStack() as undo:
        if not places.in_memory:
            _take_results(places, folder, known, undo)
        undo.callback(rmtree, places.files, ignore_errors=True)
        for name in known.under(FILES):
            _copy(folder / FILES, name, places.files)
        undo.callback(empty_queue, places.engine)
        fill_queue(places.engine, folder / QUEUE)
        chain = places.chain
        if places.own_key is not None and KEY in known.files:
            chain = chain_keys(_with_key(places.own_key, folder / KEY), chain)
        fill(places.state, folder / STATE, known.step, chain, is_whole=not known.losses)
        undo.pop_all()
    if places.in_memory:  # a result that is missing then is read again when somebody asks for it
        _take_results(places, folder, known, ExitStack())
    if (seal := seal_from(known.newest_seal)) is not None:
        chain.head.advance(seal)
    return known


def _take_results(places: BackupPlaces, folder: Path, known: Manifest, undo: ExitStack) -> None:
    for name in known.under(RESULTS):
        handle = name.removesuffix(".arrow")
        undo.callback(places.results.delete, handle)
        places.results.take_in(handle, folder / RESULTS / name)


def _require_empty(places: BackupPlaces, known: Manifest) -> None:
    require_empty(places.state, known.step)
    require_empty_queue(places.engine)
    has_results = not places.in_memory and next(places.results.handles(), None)
    if has_results or (places.files.exists() and any(places.files.iterdir())):
        raise ConfigError(ROWS_THERE)


def _require_key(places: BackupPlaces, folder: Path, known: Manifest) -> None:
    """Raise ConfigError where the key is not in the backup and another one is set."""
    seal = seal_from(known.newest_seal)
    is_brought = places.own_key is not None and KEY in known.files
    if seal is not None and not is_brought and not places.chain.keys.is_ours(seal):
        raise ConfigError(OTHER_KEY.format(folder))


def _with_key(own: Path, brought: Path) -> Path:
    """Put the keys of a backup before our own, at once and whole; return our file."""
    lines = dict.fromkeys((*brought.read_text("ascii").split(), *own.read_text("ascii").split()))
    unfinished = own.with_name(f"{own.name}.{os.getpid()}")
    unfinished.touch(0o600)
    unfinished.write_text("".join(f"{line}\n" for line in lines), "ascii")
    unfinished.replace(own)
    return own


def _copy(source: Path, name: str, target: Path) -> None:
    parts = PurePosixPath(name).parts
    if len(parts) != 2 or ".." in parts:  # FOLDER/FILE
        raise Corrupt(DAMAGED.format(source.parent, f"it names {name}"))
    (target / parts[0]).mkdir(mode=0o700, parents=True, exist_ok=True)
    copyfile(source / name, target / name)
