"""With a model of meanings the search finds other words for the same; without one it is as it was."""

import subprocess
import sys
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from ai.errors import ConfigError
from ai.memory.embeddings import Encoder, encoder_at
from ai.memory.embeddings.encoder import StaticEncoder
from ai.memory.embeddings.vectors import VECTOR
from ai.memory.log.database import reading
from ai.memory.search import Scope
from ai.memory_store import MemoryStore
from ai.types import ThreadKey
from tests.memories import NOON, THREAD, ask, opened, turn
from tests.processes import bare_environment
from tests.stand_ins import model2vec as stand_in

MEANINGS = [["pricing", "dollars", "seat"], ["outage", "disk", "crashed"], ["dog", "puppy"]]
SAID = [
    "we go with nine dollars a seat",
    "the disk of the server was full",
    "lunch is at noon",
    "pricing is on the wiki",
]
ELSEWHERE = ThreadKey("T1", "C2", "2.2")


def small(name: str = "small", groups: Sequence[list[str]] = MEANINGS) -> Encoder:
    return StaticEncoder(stand_in.StaticModel(list(groups)), name, 0.5)


def real(folder: Path, floor: float) -> Encoder:
    """A real model, made of the static vectors in the package wordllama."""
    model2vec = pytest.importorskip("model2vec", reason="model2vec is not installed")
    home = Path(
        pytest.importorskip("wordllama", reason="wordllama, which has a model, is not installed").__file__
    ).parent
    vectors = pytest.importorskip("safetensors.numpy").load_file(home / "weights" / "l2_supercat_256.safetensors")
    tokenizers = pytest.importorskip("tokenizers").Tokenizer
    tokenizer = tokenizers.from_file(str(home / "tokenizers" / "l2_supercat_tokenizer_config.json"))
    model2vec.StaticModel(vectors["embedding.weight"], tokenizer, normalize=True).save_pretrained(folder)
    encoder = encoder_at(folder, floor)
    assert encoder is not None
    return encoder


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """Where memories are opened one after the other, empty at first."""
    url = None if request.param == "sqlite" else request.getfixturevalue("server").new_database()
    return {"folder": tmp_path, "url": url}


def talk(memory: MemoryStore) -> None:
    for number, text in enumerate(SAID, 1):
        ask(memory, number, text)
    ask(memory, 1, "the puppy crashed for twelve dollars", ELSEWHERE)


def found(memory: MemoryStore, text: str, scope: Scope | None = None) -> list[str]:
    return [hit.text for hit in memory.search.find(text, scope or Scope(THREAD), 10).hits]


def kept(memory: MemoryStore) -> list[tuple[str, bytes]]:
    with reading(memory.parts.engine) as connection:
        rows = connection.execute(select(VECTOR.c.model, VECTOR.c.body).order_by(VECTOR.c.message_id))
        return [(row.model, bytes(row.body)) for row in rows]


@pytest.mark.parametrize("kind", ["stand-in", "model2vec"])
def test_an_encoder_puts_the_same_meaning_near(kind: str, tmp_path: Path) -> None:
    encoder = small() if kind == "stand-in" else real(tmp_path / "model", 0.2)
    dog, puppy, price, empty = encoder.encode(["the dog", "a puppy", "pricing per seat", ""])
    assert len({len(vector) for vector in (dog, puppy, price, empty)}) == 1
    assert cosine(dog, puppy) >= encoder.floor > cosine(dog, price)
    assert encoder.encode(["the dog"]) == [dog]


def test_a_real_model_finds_a_paraphrase(tmp_path: Path) -> None:
    with opened(tmp_path, encoder=real(tmp_path / "model", 0.4)) as memory:
        talk(memory)
        ask(memory, 9, "refunds are handled by the support team")
        assert found(memory, "money back") == ["refunds are handled by the support team"]
        assert found(memory, "zeppelin") == []


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    def dot(a: Sequence[float], b: Sequence[float]) -> float:
        return sum(x * y for x, y in zip(a, b, strict=True))

    return dot(one, other) / sqrt(dot(one, one) * dot(other, other))


def test_other_words_for_the_same_are_found_behind_those_that_were_said(place: dict[str, Any]) -> None:
    with opened(**place) as memory:
        talk(memory)
        assert found(memory, "pricing") == [SAID[3]]
        assert (found(memory, "outage"), kept(memory)) == ([], [])
    with opened(**place, encoder=small()) as memory:
        assert found(memory, "pricing") == [SAID[3], SAID[0]]
        assert found(memory, "outage") == [SAID[1]]
        assert found(memory, "zeppelin") == []
        assert [hit.alike > 0.5 for hit in memory.search.find("outage", Scope(THREAD)).hits] == [True]
        assert {name for name, _ in kept(memory)} == {"small"}


def test_only_the_scope_is_looked_at(place: dict[str, Any]) -> None:
    with opened(**place, encoder=small()) as memory:
        talk(memory)
        assert found(memory, "dog") == []
        assert len(found(memory, "dog", Scope(ELSEWHERE))) == 1
        assert found(memory, "dog", Scope(channels=frozenset({("T1", "C1")}))) == []
        assert found(memory, "outage", Scope(THREAD, except_turn=turn(2))) == []
        assert found(memory, '"outage"') == []


def test_another_model_makes_all_vectors_anew(place: dict[str, Any]) -> None:
    with opened(**place, encoder=small()) as memory:
        talk(memory)
        found(memory, "outage")
        before = kept(memory)
    with opened(**place, encoder=small("other", [["noon", "outage"]])) as memory:
        assert found(memory, "outage") == [SAID[2]]
        assert [name for name, _ in kept(memory)] == ["other"] * len(SAID)
        assert len(before) == len(SAID)


def test_a_vector_goes_with_its_message_and_with_its_words(place: dict[str, Any]) -> None:
    with opened(**place, encoder=small()) as memory:
        talk(memory)
        assert found(memory, "outage") == [SAID[1]]
        memory.lifecycle.change(turn(2), "the parrot is green", NOON)
        assert len(kept(memory)) == len(SAID) - 1
        assert found(memory, "outage") == []
        memory.lifecycle.take_back(turn(1), NOON)
        assert len(kept(memory)) == len(SAID) - 1
        memory.lifecycle.forget_thread(THREAD)
        assert kept(memory) == []


def test_no_byte_of_a_vector_is_left(tmp_path: Path) -> None:
    with opened(tmp_path, encoder=small()) as memory:
        talk(memory)
        found(memory, "outage")
        vectors = {body for _, body in kept(memory)}
        assert all(any(body in file.read_bytes() for file in tmp_path.glob("state*")) for body in vectors)
        memory.lifecycle.forget_person("U1")
        assert not any(body in file.read_bytes() for file in tmp_path.glob("state*") for body in vectors)


def test_nothing_of_it_is_loaded_or_kept_without_the_setting(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "sys.modules['model2vec'] = None\n"
        "from datetime import UTC, datetime\n"
        "from ai.memory.search import Scope\n"
        "from ai.memory_store import memory_store\n"
        "memory_store.receive('1.1', 't1', 'the disk was full', 'U1', datetime.now(UTC))\n"
        "print([len(memory_store.search.find(text, Scope()).hits) for text in ('disk', 'outage')])"
    )
    asked = subprocess.run(
        [sys.executable, "-c", program], env=bare_environment(DATA_DIR=str(tmp_path)), capture_output=True, check=True
    )
    assert asked.stdout.decode().strip() == "[1, 0]"


def test_a_setting_without_a_model_or_a_library_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="give the folder of a model2vec model"):
        encoder_at(tmp_path / "nowhere", 0.5)
    folder = stand_in.write_model(tmp_path / "model", MEANINGS)
    program = "import sys; sys.modules['model2vec'] = None\nfrom bot.__main__ import main\nmain()"
    settings = bare_environment(DATA_DIR=str(tmp_path), EMBEDDING_MODEL=str(folder))
    ran = subprocess.run(
        [sys.executable, "-c", program, "memory", "stats"], env=settings, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 2, ran.stderr
    assert "install 'datathread[semantic]'" in ran.stderr
