"""Archives: ranges of a thread replaced by a placeholder, to be loaded and restored."""

from ai.memory.archives.archives import Archives
from ai.memory.archives.placeholder import PREVIEW, Placeholder, parse, preview_of

__all__ = ["PREVIEW", "Archives", "Placeholder", "parse", "preview_of"]
