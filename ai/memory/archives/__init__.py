"""Archives: ranges of a thread replaced by a placeholder, to be loaded and restored."""

from ai.memory.archives.archives import Archives, Listed
from ai.memory.archives.placeholder import PREVIEW, Placeholder, parse, preview_of

__all__ = ["PREVIEW", "Archives", "Listed", "Placeholder", "parse", "preview_of"]
