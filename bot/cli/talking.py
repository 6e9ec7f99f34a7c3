"""Answers of `datathread ask`: one, or a conversation line by line."""

import sys
from typing import TYPE_CHECKING

import click

from ai.errors import NoResult, UserError

if TYPE_CHECKING:
    from ai.agents.port import Answer
    from ai.language.texts import Translator
    from ai.types import AnsweredQuery, ThreadKey
    from bot.product import Product

HELLO = "Ask about your data; “help” shows how, Ctrl-D ends it."
ENDING = ("quit", "exit", "bye")
NOT_ANSWERED = "There is no result to print: {}"


def shown(product: "Product", answer: "Answer", form: str) -> str:
    """Return an answer as text, receipt, json, csv or sql. Raises NoResult where there are no rows."""
    from bot.render.terminal import as_record, as_text

    if form == "json":
        return as_record(answer, product.memory)
    if form in ("text", "receipt"):
        return as_text(answer, texts_of(product), receipt=form == "receipt")
    return _rows_or_sql(product, answer, form)


def texts_of(product: "Product") -> "Translator":
    from ai.language.texts import translator_of

    return translator_of(product.settings.language)


def talk(product: "Product", thread: "ThreadKey", form: str) -> None:
    """Answer each line of the input, until it ends; a prompt is shown to people only."""
    is_person = sys.stdin.isatty()
    if is_person:
        click.echo(texts_of(product)(HELLO))
    while True:
        try:
            line = (input("> ") if is_person else next(sys.stdin)).strip()
        except (EOFError, StopIteration):
            return
        if line.lower() in ENDING:
            return
        if line:
            _say(product, thread, line, form)


def _say(product: "Product", thread: "ThreadKey", line: str, form: str) -> None:
    try:
        answer = product.orchestrator.process_message(line, thread)
        click.echo(f"{shown(product, answer, form)}\n")
    except UserError as error:
        click.echo(f"{texts_of(product)(str(error))}\n", err=True)


def _rows_or_sql(product: "Product", answer: "Answer", form: str) -> str:
    from bot.render.tables import csv_of
    from bot.render.text import plain

    query = query_of(product, answer)
    if query is None:
        raise NoResult(NOT_ANSWERED.format(plain(answer.text).splitlines()[0]))
    if form == "sql":
        return query.sql
    return csv_of(product.memory.result(query)).decode("utf-8").rstrip("\r\n")


def query_of(product: "Product", answer: "Answer") -> "AnsweredQuery | None":
    """Return the query behind an answer, None for one without rows."""
    from ai.agents.port import NoteEvent

    notes = (event for event in answer.events if isinstance(event, NoteEvent))
    return next((product.memory.query(note.query_id) for note in notes), None)
