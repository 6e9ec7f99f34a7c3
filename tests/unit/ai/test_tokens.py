"""Tokens are counted exactly, offline; what cannot be counted is estimated and said to be."""

import json
import subprocess
import sys

import pytest

from ai.tokens import TokenCount, TokenCounter, estimate, load_encoding
from tests.paths import ROOT

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
        "import socket; socket.socket = None; from ai.tokens import load_encoding; load_encoding('o200k_base');"
        "import tiktoken; print(tiktoken.get_encoding('o200k_base').encode('hello world'))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[24912, 2375]\n"


def test_without_a_carrier_tokens_are_estimated_and_said_to_be(caplog: pytest.LogCaptureFixture) -> None:
    counter = TokenCounter("p50k_base", carriers=("no-such-package", "click"))
    assert counter.count("how many apps?") == TokenCount(estimate("how many apps?"), exact=False)
    assert "no installed package carries p50k_base" in caplog.text


def test_who_need_not_wait_gets_an_estimate() -> None:
    counter = TokenCounter("p50k_edit", patience=0, carriers=())
    assert not counter.count("how many apps?").exact


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_an_estimate_is_near(text: str) -> None:
    exact = len(load_encoding("o200k_base").encode_ordinary(text))
    assert 0.8 <= estimate(text) / exact <= 1.3
