"""The OpenAPI document and its page: `python -m tests.contract.api_document` keeps them whole.

They stand in `api_document.jsonl`, a line for each path and schema, and for each line of the page. Look at the
difference before you keep it: what callers are promised has changed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.http_api.page import page
from tests.http_service import http_api

KEPT = Path(__file__).with_name("api_document.jsonl")


def parts(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield what a document says, and its page, in parts that a line can hold."""
    of = {"path": document["paths"], "schema": document["components"]["schemas"], "document": document}
    for kind, named in of.items():
        yield from ({kind: name, "shows": it} for name, it in named.items() if name not in ("paths", "components"))
    yield from ({"page": at, "shows": line} for at, line in enumerate(page(document).splitlines(), 1))


if __name__ == "__main__":
    with TemporaryDirectory() as folder, http_api(Path(folder)) as api:
        text = "".join(f"{json.dumps(part, ensure_ascii=False)}\n" for part in parts(api.app.openapi()))
    KEPT.write_text(text, "utf-8")
