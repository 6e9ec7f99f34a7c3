"""Everything that stands in a message, as lines of data: posted over the real Web API, looked at in the real page."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright", reason="playwright is not installed")

from playwright.sync_api import Browser, Page, expect
from slack_sdk import WebClient

from local_slack.testing import GENERAL, SlackServer
from tests.cases import cases
from tests.local_slack.browser.chromium import screenshot, visiting

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def page(browser: Browser, server: SlackServer) -> Iterator[Page]:
    """One window for all lines: each posts a message of its own into it."""
    server.reset()
    with visiting(browser, server) as visitors:
        yield visitors.visit()


@pytest.mark.parametrize("case", cases(HERE / "content.jsonl"))
def test_a_message_shows_what_it_holds(page: Page, bot: WebClient, case: dict[str, Any]) -> None:
    """`look`: a selector inside the message, and the texts of all that it finds; `drawn`: the same inside a drawing."""
    ts = bot.chat_postMessage(channel=GENERAL, **{"text": "fallback", **case["post"]})["ts"]
    content = page.locator(f'.message[data-ts="{ts}"] .content')
    expect(content).to_be_visible()
    for selector, expected in case["look"].items():
        expect(content.locator(selector)).to_have_text(expected, use_inner_text=True)
    for selector, expected in case.get("drawn", {}).items():
        expect(content.locator(selector)).to_have_text(expected)


@pytest.mark.parametrize("case", cases(HERE / "hostile.jsonl"))
def test_hostile_content_stays_text(page: Page, bot: WebClient, case: dict[str, Any]) -> None:
    """Nothing that a message says may become markup, run, load or lead anywhere."""
    ts = bot.chat_postMessage(channel=GENERAL, **{"text": "fallback", **case["post"]})["ts"]
    content = page.locator(f'.message[data-ts="{ts}"] .content')
    expect(content).to_contain_text(case["says"], use_inner_text=True)
    expect(content.locator("script, iframe, object, embed, form, style, svg:not(.icon), img, a")).to_have_count(0)
    assert page.evaluate("window.hurt") is None


def test_a_data_table_is_sorted_and_paged(page: Page, bot: WebClient) -> None:
    installs = [7, 3, 10, 6, 2, 9, 5]
    rows: list[list[dict[str, Any]]] = [[{"type": "raw_text", "text": name} for name in ("app", "installs")]]
    for number, count in enumerate(installs, 1):
        value = {"type": "raw_number", "value": count, "text": str(count)}
        rows.append([{"type": "raw_text", "text": f"App {number}"}, value])
    block = {"type": "data_table", "caption": "Installs", "page_size": 3, "rows": rows}
    ts = bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[block])["ts"]
    table = page.locator(f'.message[data-ts="{ts}"]')
    first = table.locator("tbody th")
    expect(first).to_have_text(["App 1", "App 2", "App 3"])
    table.get_by_role("button", name="Next").click()
    expect(table.locator(".pager span")).to_have_text(re.compile("4.6 of 7 rows"))
    table.get_by_role("button", name="installs").click()
    expect(table.locator("tbody td:last-child")).to_have_text(["2", "3", "5"])
    table.get_by_role("button", name="installs").click()
    expect(table.locator("tbody td:last-child")).to_have_text(["10", "9", "7"])
    expect(table.locator("th[aria-sort=descending]")).to_have_text("installs")
    table.get_by_role("searchbox", name="Filter Installs").fill("app 4")
    expect(first).to_have_text(["App 4"])
    bot.chat_update(channel=GENERAL, ts=ts, text="fallback", blocks=[block, {"type": "divider"}])
    expect(table.locator("hr")).to_have_count(1)
    expect(first).to_have_text(["App 4"])


def test_a_chart_is_shown_as_its_figures(page: Page, bot: WebClient) -> None:
    segments = [{"label": "iOS", "value": 1200}, {"label": "Web", "value": 7.5}]
    chart = {"type": "data_visualization", "title": "Installs", "chart": {"type": "pie", "segments": segments}}
    ts = bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[chart])["ts"]
    figure = page.locator(f'.message[data-ts="{ts}"] figure')
    expect(figure.get_by_role("img", name="Installs: pie chart of 2 parts")).to_be_visible()
    figure.get_by_role("button", name="Show as a table").click()
    expect(figure.locator("td")).to_have_text(["iOS", "1,200", "Web", "7.5"])
    figure.get_by_role("button", name="Show as a chart").click()
    expect(figure.locator("table")).to_be_hidden()


def test_a_long_table_keeps_its_header_in_sight(page: Page, bot: WebClient) -> None:
    rows = [[{"type": "raw_text", "text": f"{row}.{column}"} for column in range(20)] for row in range(100)]
    ts = bot.chat_postMessage(channel=GENERAL, text="fallback", blocks=[{"type": "table", "rows": rows}])["ts"]
    table = page.locator(f'.message[data-ts="{ts}"] .table-scroll')
    table.evaluate("node => { node.scrollTop = 900; node.scrollLeft = 400 }")
    above = table.evaluate(
        "node => node.querySelector('th').getBoundingClientRect().top - node.getBoundingClientRect().top"
    )
    assert 0 <= above <= 2
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_colour_schemes_are_kept_as_pictures(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(","))
    assert (brightness > 600) == (scheme == "light")
    screenshot(page, f"page-content-{scheme}")
