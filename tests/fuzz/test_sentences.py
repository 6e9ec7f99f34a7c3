"""Random sentences about random results: hardly any that is true is flagged, few that are wrong pass.

A wrong sentence may be true by chance (two shops with the same share), so those that pass are counted, not forbidden;
a failure names them, since each may show a rule that is too loose.
"""

from importlib import import_module
from itertools import count
from random import Random

import pytest

from ai.answers.figures import check_rows
from tests.fuzz.writers.pieces import Form

WRITERS = ("merchant", "calendar", "operator", "traveller", "analyst", "registrar")
ROUNDS = 30
FLAGGED = 0.005
PASSED_BY_CHANCE = 0.02


def forms(writer: str) -> tuple[Form, ...]:
    written: tuple[Form, ...] = import_module(f"tests.fuzz.writers.{writer}").FORMS
    return written


@pytest.mark.fuzz
@pytest.mark.parametrize("writer", WRITERS)
def test_true_sentences_pass_and_wrong_ones_do_not(writer: str) -> None:
    seed = Random().randrange(10**6)
    numbers = count()
    flagged: list[str] = []
    passed: list[tuple[str, str]] = []
    for chance in (Random(f"{seed}-{n}") for n in range(ROUNDS)):
        for sentence in (form(chance) for form in forms(writer)):
            if not check_rows(sentence.text, sentence.columns, sentence.rows).ok:
                flagged.append(sentence.text)
            for wrong in sentence.corrupted():
                next(numbers)
                if check_rows(wrong, sentence.columns, sentence.rows).ok:
                    passed.append((wrong, sentence.text))
    assert len(flagged) <= FLAGGED * ROUNDS * len(forms(writer)), (seed, flagged)
    assert len(passed) <= PASSED_BY_CHANCE * next(numbers), (seed, passed)
