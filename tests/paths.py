"""Where tests find things outside the source tree."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"
ARTIFACTS = ROOT / "artifacts"
