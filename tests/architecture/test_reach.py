"""`make reach`: a marked module does as before, and tells which functions began."""

import subprocess
import sys
from pathlib import Path

from tests.reach import marks

TOY = '''"""A toy."""
class House:
    def door(self):
        """Open."""
        def bell():
            return "ring"
        return bell()
    def window(self): return "glass"
async def garden():
    yield 1
def cellar():
    pass
'''
ASK = """import sys
sys.path.append({code!r}); sys.path.insert(0, {root!r})
__import__("marks").begin({root!r}, {folder!r})
import config
assert config.House().door() == "ring" and config.House.door.__doc__ == "Open."
config.garden()
"""


def test_functions_that_began_are_written_down(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    (tmp_path / "config.py").write_text(TOY, "utf-8")
    asked = ASK.format(code=str(Path(marks.__file__).parent), root=str(tmp_path), folder=str(kept))
    for _ in range(2):  # the second process finds the module compiled
        subprocess.run([sys.executable, "-c", asked], check=True, timeout=60)
    told = [sorted(part.read_text("utf-8").split()) for part in kept.glob("*.begun")]
    assert told == [["config.py:House.door", "config.py:House.door.bell"]] * 2
