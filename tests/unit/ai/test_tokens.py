"""Tokens are counted exactly, offline; what cannot be counted is estimated and said to be."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import sha1, sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from langchain_core.messages import convert_to_messages
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

from ai.tokens import RankFiles, TokenCount, TokenCounter, estimate, load_encoding
from tests.cases import cases
from tests.paths import ROOT
from tests.request_tokens import request_tokens

NOWHERE = RankFiles(carriers=())
RANKS = b"aGVsbG8= 0"
URL = "https://example.invalid/encodings/ours.tiktoken"
KEY, HASH = sha1(URL.encode()).hexdigest(), sha256(RANKS).hexdigest()
ROWS = json.dumps([{"app": f"App {n}", "revenue": n * 1013.37, "day": "2026-01-07"} for n in range(50)])
TEXTS = {
    "prose": "How many apps do we have, and which of them earned more last month than in the month before? " * 5,
    "rows": ROWS,
    "numbers": ROWS.translate({ord(c): "," for c in '{}[]":'}),
    "german": "Wie viele Anwendungen haben wir insgesamt, und wie entwickelte sich der Umsatz je Land? " * 5,
    "chinese": "我们有多少个应用程序、其中有多少是在苹果平台上的。请把结果导出为表格文件。" * 5,
    "hex": " ".join(f"{n * 0x9E3779B97F4A7C15 % 2**64:016x}" for n in range(1, 60)),
}


@pytest.mark.parametrize(
    ("encoding", "text", "tokens"),
    [
        ("o200k_base", "", 0),
        ("o200k_base", "hello world", 2),
        ("o200k_base", "How many apps do we have?", 7),
        ("cl100k_base", "hello world", 2),
    ],
)
def test_tokens_are_counted_exactly(encoding: str, text: str, tokens: int) -> None:
    assert len(load_encoding(encoding).encode_ordinary(text)) == tokens


def test_the_ranks_are_those_of_tiktoken() -> None:
    assert load_encoding("o200k_base").encode_ordinary("hello world") == [24912, 2375]


def test_nothing_that_a_person_writes_is_a_special_token() -> None:
    counter = TokenCounter(patience=60)
    counted = counter.count("<|endoftext|>")
    assert counted.exact
    assert counted.tokens > 1
    assert counter("<|endoftext|>") == counted.tokens


def test_tiktoken_itself_finds_what_was_loaded() -> None:
    code = (
        "from ai.tokens import load_encoding; import socket; socket.socket = None; load_encoding('o200k_base');"
        "import tiktoken; print(tiktoken.get_encoding('o200k_base').encode('hello world'))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[24912, 2375]\n"


def test_without_a_carrier_tokens_are_estimated_and_said_to_be(caplog: pytest.LogCaptureFixture) -> None:
    counter = TokenCounter("p50k_base", files=RankFiles(carriers=("no-such-package", "click")))
    assert counter.count("how many apps?") == TokenCount(estimate("how many apps?"), exact=False)
    assert "no installed package carries p50k_base" in caplog.text


def test_who_need_not_wait_gets_an_estimate() -> None:
    counter = TokenCounter("p50k_edit", patience=0, files=NOWHERE)
    assert not counter.count("how many apps?").exact


def test_the_folder_of_tiktoken_comes_first(tmp_path: Path) -> None:
    (tmp_path / KEY).write_bytes(RANKS)
    assert replace(NOWHERE, folder=tmp_path).read(URL, HASH) == RANKS


def test_a_file_of_another_hash_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / KEY).write_bytes(b"tampered with")
    with pytest.raises(LookupError, match="no installed package carries ours"):
        replace(NOWHERE, folder=tmp_path).read(URL, HASH)


@pytest.mark.parametrize(("served", "is_found"), [(RANKS, True), (b"something else", False)])
def test_what_may_be_downloaded_is_kept_in_the_folder(tmp_path: Path, served: bytes, is_found: bool) -> None:
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "ours.tiktoken").write_bytes(served)
    with serving(tmp_path / "served") as address:
        files = replace(NOWHERE, folder=tmp_path / "kept", download_url=f"{address}/")
        with suppress(LookupError):
            assert files.read(URL, HASH) == RANKS
    assert (tmp_path / "kept" / KEY).exists() is is_found


def test_a_download_that_fails_is_said(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(LookupError):
        replace(NOWHERE, download_url="http://127.0.0.1:1").read(URL, HASH)
    assert "the ranks of tokens were not downloaded" in caplog.text


@pytest.mark.parametrize("case", cases(Path(__file__).with_name("token_counts.jsonl")))
def test_langchain_counts_the_same(openai: ChatOpenAI, case: dict[str, Any]) -> None:
    counter = TokenCounter(patience=60)
    messages = [(role, text) for role, text in case["messages"]]
    assert sum(counter(text) for _, text in messages) == sum(openai.get_num_tokens(text) for _, text in messages)
    assert request_tokens(counter, messages) == openai.get_num_tokens_from_messages(convert_to_messages(messages))


@pytest.fixture(scope="module")
def openai() -> ChatOpenAI:
    """LangChain's own count; tiktoken finds the ranks that are loaded already."""
    load_encoding("o200k_base")
    return ChatOpenAI(model="gpt-4o", api_key=SecretStr("none"))


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_estimate_is_near(text: str) -> None:
    exact = len(load_encoding("o200k_base").encode_ordinary(text))
    assert 0.8 <= estimate(text) / exact <= 1.3
