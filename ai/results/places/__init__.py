"""Places where results are kept as files: a folder, or a bucket behind `pyarrow.fs`; the memory adds its database."""

from ai.results.places.folder import OLD, FolderFiles, remove_leftovers, writing
from ai.results.places.pieces import PIECE_BYTES, pieces_file
from ai.results.places.port import GONE, KeptFile, KeptFiles, OpenFile, named

__all__ = ["GONE", "OLD", "PIECE_BYTES"]
__all__ += ["FolderFiles", "KeptFile", "KeptFiles", "OpenFile", "named", "pieces_file", "remove_leftovers", "writing"]
