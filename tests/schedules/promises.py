"""What must hold at the end of each walk, and held all the way: one broken promise is one sentence."""

from collections.abc import Iterator

from ai.errors import Stopped
from ai.types import ThreadKey
from bot.delivery.messages import BELOW, TAKEN_AWAY
from bot.render.private_view import NOTE
from bot.turn import GAVE_UP
from local_slack.testing import GENERAL
from tests.intakes import TEAM
from tests.schedules.echoes import FILE, HANGING, KILLING, PRIVATE, answer_to
from tests.schedules.play import Asked, Play
from tests.schedules.wire import ANSWER, FILE_ALONE, Shown

STOPPED = str(Stopped())


def broken(play: Play) -> Iterator[str]:
    """Yield each promise that a walk broke."""
    yield from (f"a thread of a process ended with {error!r}" for error in play.world.errors)
    if not play.is_at_rest:
        yield "it does not come to rest"
        return
    for name, asked in play.questions.items():
        promises = _taken_away(play, asked) if asked.deleted_at is not None else _answered(play, asked)
        yield from (f"{name}: {sentence}" for sentence in promises)
    yield from _order(play)
    workspace = play.shared.wire.slack.workspace
    for (_, place), status in workspace.threads.statuses.items():
        if workspace.history(GENERAL).get(place) is not None:
            yield f"the status {status.status!r} stays in thread {place}"


def _taken_away(play: Play, asked: Asked) -> Iterator[str]:
    if now := _now(play, asked):
        yield f"it was deleted, and {now} stays"
    if files := play.shared.wire.files_of(asked.turn_id):
        yield f"it was deleted, and the files {files} stay"
    if remembered := _remembered(play, asked):
        yield f"it was deleted, and {remembered} is remembered"


def _answered(play: Play, asked: Asked) -> Iterator[str]:
    now, expected = _now(play, asked), _expected(asked)
    if PRIVATE in asked.text:
        now, alone = (
            [each for each in now if each.channel == GENERAL],
            [each for each in now if each.channel != GENERAL],
        )
        yield from _said_alone(asked, [each.text for each in now], [each.text for each in alone])
    if len(now) != 1:
        yield f"it has {len(now)} answers: {now}"
        return
    text = answer_to(asked.text) if now[0].text == NOTE else _words(now[0].text)
    if text not in expected:
        yield f"it says {text!r} in place of {expected}"
    if FILE not in asked.text and asked.in_place not in (None, now[0].ts):
        yield "its edited wording is not answered in place"
    rows = [text] if FILE in asked.text and text == answer_to(asked.text) else []
    if (files := play.shared.wire.files_of(asked.turn_id)) != rows:
        yield f"its files are {files} in place of {rows}"
    yield from _on_the_way(play, asked)
    if KILLING not in asked.text:
        yield from _remembered_once(play, asked, text)


def _words(text: str) -> str:
    """Return a text without the name of its file."""
    return text.partition("\n\nFile: ")[0]


def _said_alone(asked: Asked, here: list[str], alone: list[str]) -> Iterator[str]:
    """What is private is said to the asker alone, and only that it was is said where it was asked."""
    if answer_to(asked.text) in here:
        yield "it is private, and everybody sees its answer"
    is_given = NOTE in here
    if len(alone) != is_given or not all(answer_to(asked.text) in text for text in alone):
        yield f"it says {here} to everybody, and {alone} to its asker alone"


def _remembered_once(play: Play, asked: Asked, text: str) -> Iterator[str]:
    if (remembered := [*map(_words, _remembered(play, asked))]) != [text]:
        yield f"it says {text!r}, and {remembered} is remembered"
    most = 1 + play.crashes + play.shared.kills + len(asked.edits) + (HANGING in asked.text)
    for step in ("look", "think"):
        if (times := play.shared.efforts[asked.turn_id, step]) > most:
            yield f"{step} was done {times} times"


def _now(play: Play, asked: Asked) -> list[Shown]:
    """Return what people see of a question in words; what Slack refused to delete says so."""
    instead = (BELOW, TAKEN_AWAY) if play.refusals else ()
    now = [each for each in play.shared.wire.shown() if each.turn_id == asked.turn_id and each.text not in instead]
    return [each for each in now if each.number != FILE_ALONE]


def _remembered(play: Play, asked: Asked) -> list[str]:
    said = play.shared.desk.memory.history(ThreadKey(TEAM, GENERAL, asked.thread))
    return [one.content for one in said if one.turn_id == asked.turn_id and one.role == "assistant"]


def _expected(asked: Asked) -> list[str]:
    """Return what may be said of a question at the end."""
    said = [GAVE_UP.format(asked.turn_id) if KILLING in asked.text else answer_to(asked.text)]
    last_edit = max(asked.edits, default=0.0)
    return [*said, STOPPED] if any(at > last_edit for at in asked.stops) else said


def _on_the_way(play: Play, asked: Asked) -> Iterator[str]:
    """Never are there two answers at once, and whoever was told that it stopped gets none."""
    answers: dict[str, str] = {}
    said_stopped_at: float | None = None
    for each in (each for each in play.shared.wire.seen if each.turn_id == asked.turn_id):
        if each.number != ANSWER or not each.text:
            answers.pop(each.ts, None)
            continue
        answers[each.ts] = each.channel
        if (there := sum(channel == each.channel for channel in answers.values())) > 1:
            yield f"at {each.at:.2f} it had {there} answers at once"
        if each.text == STOPPED:
            said_stopped_at = each.at
        elif said_stopped_at is not None and not any(edit < each.at for edit in asked.edits):
            yield "it said that it stopped, and answered"


def _order(play: Play) -> Iterator[str]:
    """Questions of a thread that nothing happened to are answered in their order."""
    for letter in play.roots:
        plain = [
            asked
            for name, asked in play.questions.items()
            if name.startswith(letter) and not (asked.edits or asked.stops or asked.deleted_at)
        ]
        firsts = [_first(play, asked) for asked in plain]
        if firsts != sorted(firsts):
            yield f"thread {letter} is answered out of order"


def _first(play: Play, asked: Asked) -> float:
    seen = play.shared.wire.seen
    return next((each.at for each in seen if each.turn_id == asked.turn_id and each.number == ANSWER), 0.0)
