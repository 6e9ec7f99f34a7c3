"""The page docs/troubleshooting.md: the texts of the errors in the code, with the causes and cures of cures.jsonl."""

import json
from dataclasses import dataclass
from pathlib import Path

from tests.docs.error_texts import error_texts

CURES = Path(__file__).with_name("cures.jsonl")
HEAD = """\
# Troubleshooting

Every error that Datathread tells people, with its cause and what to do about it. `…` stands for what is filled in. First try
`datathread check` (settings, tokens, data, model) and, beside a running bot, `datathread status` or `/readyz`: each names
the part that fails. An answer that cannot be given says so in its thread; the log (standard error) has the reason.

Search this page for the words you see. `make fix` makes it from the code and from `tests/docs/cures.jsonl`.
"""
# The first section that has the error of a group's first text.
SECTIONS = {
    "Settings, files and commands": ("ConfigError",),
    "Something cannot be reached": ("SourceUnavailable", "TokenRefused"),
    "The language model": ("ModelUnavailable", "BudgetSpent"),
    "Kept data does not read back": ("Corrupt",),
    "SQL is refused": ("SqlRefused", "Masked"),
    "The place of an answer": ("",),
    "Answers, files and rights": (),
}
REST = "Answers, files and rights"


@dataclass(frozen=True)
class Cure:
    """Errors with the same cause and cure."""

    errors: tuple[str, ...]
    cause: str
    cure: str


def cures() -> list[Cure]:
    lines = map(json.loads, CURES.read_text("utf-8").splitlines())
    return [Cure(tuple(line["errors"]), line["cause"], line["cure"]) for line in lines]


def page() -> str:
    kinds = {known.text: known.error for known in sorted(error_texts())}
    parts = [HEAD]
    for section, names in SECTIONS.items():
        parts.append(f"## {section}\n")
        for one in cures():
            kind = kinds.get(one.errors[0], REST)
            if kind in names or (section == REST and not any(kind in known for known in SECTIONS.values())):
                parts.append(_entry(one))
    return "\n".join(parts)


def _entry(cure: Cure) -> str:
    said = "\n".join(f"- `{text.replace('`', '')}`" for text in cure.errors)
    return f"{said}\n\n**Cause:** {cure.cause}\\\n**Cure:** {cure.cure}\n"
