"""What reply events look like in Slack, and that nothing in them is ever parsed."""

from decimal import Decimal

import pytest

from ai.agents.port import Answer, CautionEvent, NoteEvent, QuestionEvent, SqlEvent, TableEvent, TextEvent
from ai.results.table import ResultColumn, ResultTable
from ai.types import Deed
from bot.render.buttons import chosen, press_from, press_value
from bot.render.message import render, status
from bot.render.tables import MAX_CHARACTERS, cell_text, left_out, table_block
from bot.render.terminal import as_text
from bot.render.text import fallback, rich_text
from local_slack.block_kit.message import problems_of

HOSTILE = ["<!channel>", "<@U1>", "*bold*", "`code`", "```\nfence", "<https://evil.example|click>", "a\u202eb", "&lt;"]


def text(words: str, **style: bool) -> dict[str, object]:
    return {"type": "text", "text": words} | ({"style": style} if style else {})


def section(*elements: dict[str, object]) -> dict[str, object]:
    return {"type": "rich_text_section", "elements": list(elements)}


def test_bold_italic_and_code() -> None:
    assert rich_text("There are **49** _live_ `apps`.")["elements"] == [
        section(
            text("There are "),
            text("49", bold=True),
            text(" "),
            text("live", italic=True),
            text(" "),
            text("apps", code=True),
            text("."),
        )
    ]


def test_lists_follow_paragraphs() -> None:
    assert rich_text("You could ask:\n- one\n- **two**\n\nBye")["elements"] == [
        section(text("You could ask:\n")),
        {
            "type": "rich_text_list",
            "style": "bullet",
            "elements": [section(text("one")), section(text("two", bold=True))],
        },
        section(text("Bye")),
    ]


def test_escaped_characters_are_shown_as_they_are() -> None:
    assert rich_text(r"\*not bold\* and \`no code\`")["elements"] == [section(text("*not bold* and `no code`"))]


def test_the_fallback_cannot_mention_anybody() -> None:
    assert fallback(r"**49** \<!channel\> & <@U1>") == "49 &lt;!channel&gt; &amp; &lt;@U1&gt;"


@pytest.mark.parametrize("value", HOSTILE)
def test_cells_are_raw_text(value: str) -> None:
    block = table_block(TableEvent(ResultTable((ResultColumn("x"),), ((value,),), 1)))
    assert block["rows"][1][0]["type"] == "raw_text"
    assert "\u202e" not in block["rows"][1][0]["text"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "\u2013"), (True, "yes"), (1234, "1234"), (0.1, "0.1"), (Decimal("12.30"), "12.30"), (b"ab", "2 bytes")],
)
def test_cells_as_people_read_them(value: object, shown: str) -> None:
    assert cell_text(value) == shown


def test_a_table_shows_words_and_formatted_cells_and_sorts_by_the_numbers() -> None:
    table = ResultTable((ResultColumn("app"), ResultColumn("total_revenue_usd")), (("A", 1234.5),), 1)
    block = table_block(TableEvent(table, ("App", "Revenue"), (("A", "$1,234.50"),)))
    assert [cell["text"] for row in block["rows"] for cell in row] == ["App", "Revenue", "A", "$1,234.50"]
    assert block["rows"][1][1]["value"] == 1234.5


@pytest.mark.parametrize("number", [2**53 + 1, float("nan"), float("inf"), Decimal("1e400")])
def test_numbers_that_a_double_cannot_hold_stay_text(number: object) -> None:
    assert (
        table_block(TableEvent(ResultTable((ResultColumn("x"),), ((number,),), 1)))["rows"][1][0]["type"] == "raw_text"
    )


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (99, 20), (500, 30), (100, 3)])
def test_a_table_fits_and_says_what_is_left_out(rows: int, columns: int) -> None:
    table = ResultTable(
        tuple(ResultColumn(f"c{n}") for n in range(columns)), tuple((("x" * 30,) * columns) for _ in range(rows)), rows
    )
    block = table_block(TableEvent(table))
    assert len(block["rows"]) <= 100
    assert all(len(row) <= 20 for row in block["rows"])
    assert sum(len(cell["text"]) for row in block["rows"] for cell in row) <= MAX_CHARACTERS
    complete = len(block["rows"]) == rows + 1 and columns <= 20
    assert bool(left_out(TableEvent(table))) != complete


def test_joined_emoji_stay_joined() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    assert cell_text(family) == family


def test_a_whole_answer() -> None:
    table = ResultTable((ResultColumn("platform"), ResultColumn("apps")), (("iOS", 21), ("Android", 20)), 2)
    message = render(
        [TextEvent("**2** platforms."), TableEvent(table), NoteEvent("apps per platform", "reader", 2, False, 3, 1)]
    )
    assert message.text == "2 platforms."
    assert [block["type"] for block in message.blocks] == ["rich_text", "table", "context"]
    assert message.blocks[2]["elements"][0] == {
        "type": "plain_text",
        "text": "Read as: apps per platform · reader · 2 rows · 3 ms",
    }


def test_a_caution_is_small_print_of_its_own() -> None:
    caution = CautionEvent("There is no country “<!channel>”; did you mean “Chad”?")
    (block,) = render([caution]).blocks
    assert block["type"] == "context"
    assert block["elements"] == [{"type": "plain_text", "text": f"⚠ {caution.text}"}]
    assert as_text(Answer((caution,))) == f"⚠ {caution.text}"


def test_sql_stands_in_a_code_block_whatever_it_holds() -> None:
    sql = "SELECT '```' AS x"
    message = render([SqlEvent(sql, "q")])
    assert message.blocks[0]["elements"] == [{"type": "rich_text_preformatted", "elements": [text(sql)]}]


def test_the_fallback_keeps_code_as_it_is() -> None:
    sql = "SELECT `a_b`, '**x**' FROM t"
    assert fallback(f"This **answered** it:\n\n```sql\n{sql}\n```") == f"This answered it:\n\n```sql\n{sql}\n```"


def test_a_question_back_has_a_button_for_each_option() -> None:
    question, buttons = render([QuestionEvent("Which one?", ("a", "*b*"), ("show a", "show b"))]).blocks
    assert question["elements"] == [section(text("Which one?"))]
    assert [(b["text"]["text"], press_from(b["value"])[0]) for b in buttons["elements"]] == [
        ("a", "show a"),
        ("*b*", "show b"),
    ]


def test_options_that_no_button_holds_are_listed_as_well() -> None:
    long = "word " * 40
    question, buttons = render([QuestionEvent("Which one?", (long, "b"))]).blocks
    assert question["elements"][1]["elements"] == [section(text(long)), section(text("b"))]
    first = buttons["elements"][0]
    assert (len(first["text"]["text"]), press_from(first["value"])[0]) == (75, long)


@pytest.mark.parametrize(
    "said", ["", "a" * 5_000, '"' * 3_000, "\n" * 3_000, "\ud800 x", "approve rule 1", "[]", "ä\x00"]
)
def test_a_press_carries_words_and_deed_whatever_the_words_are(said: str) -> None:
    deed = Deed("correction", "T:C:1.0", "1 proposed None", until_next=True)
    value = press_value(said, deed)
    assert len(value) <= 2_000
    words, read = press_from(value)
    assert read == deed
    assert said.replace("\ud800", "?").startswith(words)


@pytest.mark.parametrize(
    "value", ["approve rule 1", "", "1", "[]", "{}", '["a"]', '["a", "b"]', '["a", 1]', '[1, "[]"]', "[" * 2_000]
)
def test_the_value_of_another_button_is_no_press(value: str) -> None:
    with pytest.raises(ValueError, match="no press"):
        press_from(value)


def test_a_choice_takes_the_place_of_the_buttons() -> None:
    blocks = chosen(render([QuestionEvent("Which one?", ("a", "b"))]).blocks, "a", "U1")
    assert [block["type"] for block in blocks] == ["rich_text", "rich_text"]
    assert blocks[1]["elements"][0]["elements"] == [text("a · "), {"type": "user", "user_id": "U1"}]


def test_the_steps_of_a_turn_are_task_cards_and_plain_text_without_them() -> None:
    shown = status(("Reading", "Running <!here>"), "T1:C1:1.1")
    assert [list(problems_of(form.blocks)) for form in shown.forms()] == [[], [], []]
    assert [(task["title"], task["status"]) for task in shown.blocks[0]["tasks"]] == [
        ("Reading", "complete"),
        ("Running <!here>", "in_progress"),
    ]
    assert shown.simple[0]["elements"][0] == {"type": "plain_text", "text": "Running <!here>"}
    assert "<!" not in shown.text
