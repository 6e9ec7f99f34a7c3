"""Messages, modals and pages of Slack, each made of a few values: `python -m tests.rendered` keeps them whole.

They stand in `tests/unit/bot/rendered.jsonl`. Look at the difference before you keep it: what people read has changed.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from hashlib import sha256
from typing import Any

from ai.agents.overview import Remembered, Use
from ai.agents.port import (
    ActionsEvent,
    Answer,
    CautionEvent,
    FeedbackEvent,
    NoteEvent,
    PressEvent,
    PrivateEvent,
    QuestionEvent,
    QuoteEvent,
    ReceiptEvent,
    ReplyEvent,
    SqlEvent,
    TableEvent,
    TextEvent,
)
from ai.agents.querying.refinements import ChoiceOfPart, Refinable
from ai.language.texts import ENGLISH_TEXTS, translator_of
from ai.results.table import ResultColumn, ResultTable
from ai.types import LoggedMessage, ThreadKey
from bot.render import asked_view, feedback, private_view, refine_view
from bot.render.home_view import HomePage, home_view
from bot.render.message import pages, status
from bot.render.objection_view import Objected, objection_view
from bot.render.terminal import as_text
from bot.render.translated import in_words
from tests.paths import ROOT

MOST_ITEMS, MOST_CHARACTERS = 12, 200
RENDERED = ROOT / "tests/unit/bot/rendered.jsonl"
GERMAN = translator_of("de")
DAY, AT = date(2026, 11, 3), datetime(2026, 11, 3, 14, 5, tzinfo=UTC)
THREAD = ThreadKey("T1", "C1", "1700000000.000100")
SITE = "https://shop.slack.com"


def _table(rows: int, columns: int = 2, count: int | None = None) -> TableEvent:
    heads = ("name", "apps", *(f"c{number}" for number in range(2, columns)))
    cells = tuple((f"n{at}", at, *(Decimal(at) / 4 for _ in range(2, columns))) for at in range(rows))
    return TableEvent(ResultTable(tuple(map(ResultColumn, heads)), cells, rows if count is None else count))


WORDED = TableEvent(
    ResultTable((ResultColumn("day"), ResultColumn("revenue")), ((DAY, 1234.5), (None, True), (AT, float("nan"))), 3),
    ("Day", "Revenue"),
    (("Nov 3, 2026", "$1,234.50"), ("–", "yes"), ("now", "-")),
)
EVENTS: Mapping[str, Sequence[ReplyEvent]] = {
    "nothing": (),
    "words": (TextEvent("There are **3** _live_ `apps`.\n\n- one\n- two"), TextEvent("“Next” \\*as it is\\*")),
    "a few rows": (
        TextEvent("3 apps"),
        _table(3),
        NoteEvent("apps by name", "built-in reader, no language model", 3, False, 1234, 7),
    ),
    "a row": (_table(1), NoteEvent("", "built-in reader, no language model", 1, True, 5, 7)),
    "no rows": (_table(0),),
    "ten rows": (_table(10),),
    "rows to page": (_table(11),),
    "rows that were left out": (_table(120, 22, 3000),),
    "worded rows": (WORDED,),
    "SQL": (SqlEvent("SELECT '```' AS x", "q"), TextEvent("```sql\nSELECT 1\n```")),
    "quotations": (
        QuoteEvent("You asked:", "how many?", "14:05", THREAD, "1700000001.000200"),
        QuoteEvent("It was asked by", "how many?", "14:05", THREAD, "1700000001.000200", "U0ANNA1"),
        QuoteEvent("It was asked by", "how many?", "14:05", ThreadKey("", "cli", "t"), "1", "ana"),
    ),
    "a question back": (QuestionEvent("Which one?", ("Apps on iOS", "word " * 20), ("apps ios", "apps words")),),
    "a decision": (QuestionEvent("Approve it?", ("Approve", "Reject"), for_owners=True),),
    "a question without options": (QuestionEvent("Which one?"),),
    "a caution": (CautionEvent("There is no country “<!channel>”; did you mean “Chad”?"),),
    "a receipt": (ReceiptEvent("SELECT 1\n" * 3, ("Source: shop (apps)", "Rows: 3"), "1-a", ("Turn: T1:C1:1",)),),
    "a long receipt": (ReceiptEvent("SELECT 1\n" * 1200, ("Rows: 3",), "1-a"),),
    "actions": (
        ActionsEvent(
            (("Export CSV", "export this as csv"), ("SQL", "show the sql")),
            tuple((f"More {number}", f"do {number}") for number in range(7)),
            7,
            (("By platform", "apps by platform"),),
        ),
    ),
    "no actions": (ActionsEvent(()),),
    "a press": (PressEvent("Apps on iOS", "U0ANNA1"),),
    "thumbs": (FeedbackEvent(7, DAY),),
    "a long text": (TextEvent("one paragraph. \n\n" * 900),),
    "long code": (TextEvent("```sql\n" + "SELECT 1,\n" * 900 + "```\nbehind"),),
}
SAID_IN_GERMAN = (
    "a few rows",
    "a row",
    "a receipt",
    "actions",
    "thumbs",
    "a question back",
    "quotations",
    "rows to page",
)


def _forms(events: Sequence[ReplyEvent], language: str = "en") -> Any:
    texts = GERMAN if language == "de" else ENGLISH_TEXTS
    told = [{form.name: form.content for form in message.forms()} for message in pages(events, SITE, texts)]
    return {"messages": told, "terminal": as_text(Answer(tuple(events)), texts, receipt=True)}


def _home(language: str = "en") -> Any:
    one = Remembered("how many apps?", THREAD, AT)
    use = Use(28, 1234, 5, 17, 45_000, "$1.20")
    page = HomePage(SITE, "", (), ("how many apps?", "apps by platform"), (one, replace(one, words="")), (one,))
    pages_of = (
        HomePage(SITE, "All of it is forgotten.", is_known=False),
        HomePage(SITE),
        HomePage(SITE, "Noted.", ("C1", "C2"), definitions=(("MRR", "monthly revenue"), ("DAU", ""))),
        replace(page, use=use),
        replace(page, use=replace(use, calls=0)),
    )
    return [in_words(home_view(each), GERMAN if language == "de" else ENGLISH_TEXTS) for each in pages_of]


def _private(hidden: int, *, offers: bool) -> Any:
    question = LoggedMessage(THREAD, 1, "T1:C1:1700000001.000200", "user", "how many apps?", "U0ANNA1", 4, AT)
    private = PrivateEvent(hidden)
    events = (TextEvent("3 apps"), QuestionEvent("Which?", ("a", "b")), *EVENTS["thumbs"], *EVENTS["actions"], private)
    messages = private_view.private_pages(events, private, question, SITE, ENGLISH_TEXTS, offers=offers)
    return [message.full.content for message in (*messages, private_view.note_of(private, ENGLISH_TEXTS))]


def _after_a_verdict() -> Any:
    judged = feedback.Judged(7, DAY)
    above: list[Any] = [{"type": "divider"}, feedback.feedback_row(FeedbackEvent(7, DAY))]
    accepted = feedback.accepted(above, judged, "U1", is_for_all=False)
    return [
        accepted,
        feedback.accepted(accepted, judged, "U2", is_for_all=True),
        feedback.rejected(accepted, judged, "U2", "Wrong figure"),
        feedback.reopened(feedback.rejected(above, judged, "U2", "Wrong figure"), judged),
        [feedback.names_answer(value) for value in ("right 7 2026-11-03", "7 2026-11-03", "7", "up 7 2026-11-03")],
        [feedback.says_right(value) for value in ("right 7 2026-11-03", "wrong 7 2026-11-03")],
    ]


def _modals(language: str = "en") -> Any:
    parts = (
        ChoiceOfPart("figure", ("apps", "a" * 80, "revenue"), ("apps",), False, ""),
        ChoiceOfPart("time", ("October", "November"), (), False, "launch day"),
        ChoiceOfPart("only", tuple(f"on {at}" for at in range(120)), ("on 3", "on 4"), True, ""),
        ChoiceOfPart("per", ("platform",), (), True, ""),
        ChoiceOfPart("show", ("b" * 80,), (), False, ""),
    )
    place = refine_view.Refining(7, "C1", "1.1", "2.2")
    views = (
        refine_view.refine_view(place, Refinable("how many apps?", parts, "on iOS")),
        refine_view.refine_view(place, Refinable("how many apps?", parts[:1], "")),
        asked_view.question_view(asked_view.QuestionPlace("C1", "1.1"), "how many?"),
        asked_view.question_view(asked_view.QuestionPlace("C1", "1.1"), ""),
        objection_view(Objected("7 2026-11-03", "C1", "1.2", "1.1"), {"figure": "Wrong figure", "else": "Else"}),
        asked_view.asked("U1", "how many <b>?"),
    )
    return [in_words(each, GERMAN if language == "de" else ENGLISH_TEXTS) for each in views]


def _plan() -> Any:
    steps = ("Reading the question", "Running the query")
    return [form.content for texts in (ENGLISH_TEXTS, GERMAN) for form in status(steps, "T1:C1:1.1", texts).forms()]


CASES: Mapping[str, Callable[[], Any]] = {
    **{name: partial(_forms, EVENTS[name]) for name in EVENTS},
    **{f"{name} in German": partial(_forms, EVENTS[name], "de") for name in SAID_IN_GERMAN},
    "pages of the Home": _home,
    "pages of the Home in German": lambda: _home("de"),
    "a private answer hidden from one": lambda: _private(1, offers=True),
    "a private answer to unknown readers": lambda: _private(0, offers=False),
    "a message after a verdict": _after_a_verdict,
    "modals": _modals,
    "modals in German": lambda: _modals("de"),
    "the plan of a turn": _plan,
}


def made(name: str) -> Any:
    """Return what is shown as JSON would bring it back; of what is long, its begin and a sum over all of it."""
    return _short(json.loads(json.dumps(CASES[name]())))


def _short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _short(its) for key, its in value.items()}
    if isinstance(value, list):
        rest = [f"and {len(value) - 3} more: {_sum(value)}"] if len(value) > MOST_ITEMS else []
        return [*map(_short, value[: 3 if rest else None]), *rest]
    if isinstance(value, str) and len(value) > MOST_CHARACTERS:
        return f"{value[:40]}… {len(value)} characters: {_sum(value)}"
    return value


def _sum(value: Any) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()[:12]


if __name__ == "__main__":
    kept = ({"case": name, "shows": made(name)} for name in CASES)
    RENDERED.write_text("".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in kept), "utf-8")
