"""Read a follow-up: a step back, an edit of the meaning before, or a new question about the rows shown."""

import re
from collections.abc import Sequence
from dataclasses import replace

from ai.nl2sql.lexicon import Lexicon
from ai.nl2sql.meaning import Meaning
from ai.nl2sql.reading.sketch import Sketch, counts
from ai.nl2sql.threads import signals
from ai.nl2sql.threads.change import checked, edited
from ai.nl2sql.threads.columns import WITH, with_more
from ai.nl2sql.threads.context import SAME_PLACE, SAME_TIME, at_moment, by_days, carried_over, has_time
from ai.nl2sql.threads.ellipsis import elliptic, of_those_or_all
from ai.nl2sql.threads.figures.again import figure_again
from ai.nl2sql.threads.figures.compared import compared, of_two_times, with_growth
from ai.nl2sql.threads.figures.first import WITHIN_WHAT
from ai.nl2sql.threads.figures.units import in_own_unit
from ai.nl2sql.threads.figures.widen import widened
from ai.nl2sql.threads.figures.worth import by_amount
from ai.nl2sql.threads.fragments import (
    Sketches,
    asks_anew,
    best_of,
    clearer,
    counting,
    fitting,
    fragment,
    gives_another,
    is_of_new,
    named_and_split,
    named_before,
    names_its_own,
    of_those,
    pointing_word,
    stands_whole,
)
from ai.nl2sql.threads.referents import antecedent, back_to, of_several, past_person, same_moment, thing
from ai.nl2sql.threads.rows.called import called_by_name
from ai.nl2sql.threads.rows.completed import ONES_WITHOUT, completed, rows_asked, rows_counted
from ai.nl2sql.threads.rows.composed import in_parts
from ai.nl2sql.threads.rows.named import among_shown, as_rows, rows_named
from ai.nl2sql.threads.rows.ordinals import about_place
from ai.nl2sql.threads.rows.prepositions import under_preposition
from ai.nl2sql.threads.rows.shown import about_shown
from ai.nl2sql.threads.rows.somebody import somebody
from ai.nl2sql.threads.rows.who import owner_named
from ai.nl2sql.threads.steps import CONTINUES_NOTHING, Followed
from ai.nl2sql.threads.worded import by_wording

WHICH_FIGURE = "Which figure do you mean by that value? Please name it."
NO_FIGURE = "I find no figure in this to take the place of the one before; please name it as the data does."
WHICH_ROWS = "I cannot pick rows out of one total; please name what to list and by which figure."
LEAVES_NOTHING_OUT = "I cannot tell which ones to leave out; please name the column or the value."
WHAT_CHANGES = "I cannot see what this changes in the question before."
FEWEST_ASKED = 4  # words of a question of its own
LAST = re.compile(r"\s+\w+[?.! ]*$")
WHOLE = re.compile(
    r"(?:who|whom|whose|which|what|how|when|where|why|is|are|was|were|did|does|do|has|have|show|list|give|find|tell)\b",
    re.IGNORECASE,
)
UNCHANGED = "this changes nothing in the answer before"
NO_TIME = "I cannot tell which time this refers to; please name it."


def followed(text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Read a message after others; None when it is a question of its own."""
    if signals.NEW.match(text):
        return None
    if earlier:
        made = _in_turn(text, earlier, lexicon, read) or _after(text, earlier, lexicon, read)
        made = as_rows(text, among_shown(text, made, earlier[0], lexicon), earlier[0], lexicon)
        if made is None and signals.ADJUNCT.match(text):
            return Followed(None, problem=CONTINUES_NOTHING)
        if not signals.SPLITS.match(text) and _keeps_figure(made, earlier[0]) and signals.FIGURE_FOR.search(text):
            return Followed(None, problem=NO_FIGURE)
        if made and made.meaning and gives_another(text, made.meaning, earlier[0]):
            return Followed(None, problem=NO_FIGURE, choices=(made.meaning,))
        if made and made.meaning and made.meaning.limit and not made.meaning.within and signals.IN_EACH.search(text):
            return Followed(None, problem=WITHIN_WHAT)
        return somebody(text, _told_unchanged(text, made, earlier[0], read), earlier[0], lexicon)
    if (owner := owner_named(text, lexicon, read)) or _names_first(text, read):
        return owner
    body = signals.CORRECTION.sub("", text)
    pointing = pointing_word(body, read)
    asked = bool(WHOLE.match(body)) and len(body.split()) >= FEWEST_ASKED
    opening = LAST.sub("", body) if asked else body
    leaning = body != text or signals.begins_leaning(opening) or (not asked and bool(signals.ONLY.search(body)))
    lost = (
        signals.UNDO.match(text)
        or (not asked and signals.ONLY.match(body))
        or (pointing is not None and not named_before(body, read))
        or ((leaning or not asked) and _continues(body, read, leaning=leaning))
    )
    return Followed(None, problem=CONTINUES_NOTHING) if lost else None


def _keeps_figure(made: Followed | None, before: Meaning) -> bool:
    return made is not None and made.meaning is not None and made.meaning.measures == before.measures


def _told_unchanged(text: str, made: Followed | None, before: Meaning, read: Sketches) -> Followed | None:
    """Say where an edit leaves the answer as it is."""
    if made is None or made.meaning != before or made.notes or signals.AGAIN.match(signals.canonical(text)):
        return made
    for whole in read(text)[:1]:
        if replace(whole.meaning, order=()) == replace(before, order=()):
            return Followed(whole.meaning)  # the whole question, asked again
    if signals.ADDING.search(text) or (signals.WHICH.match(text) and len(text.split()) >= FEWEST_ASKED):
        return Followed(None, problem=WHAT_CHANGES)  # it asks for something else, and that is not read
    return replace(made, notes=(UNCHANGED,))


def _after(text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    plain = signals.REPLY.sub("", text)
    if signals.TAKEN_BACK.match(plain):
        plain, earlier = signals.TAKEN_BACK.sub("no, ", plain), earlier[1:] or earlier
    correcting = signals.CORRECTION.match(plain) is not None
    if (rows := rows_named(signals.CORRECTION.sub("", plain), earlier, lexicon, read, _after)) is not None:
        return rows
    body = by_amount(signals.canonical(signals.corrected(plain)), earlier[0], lexicon)
    body = of_those(in_own_unit(called_by_name(body, earlier[0], lexicon), earlier[0], lexicon), read, earlier[0])
    earlier = past_person(body, _grouped(body, earlier), lexicon)
    if (made := by_wording(body, earlier, lexicon, read) or in_parts(body, earlier, lexicon, read, _after)) is not None:
        return made
    if (found := signals.BACK.match(body)) and (back := back_to(found["what"], earlier, read)):
        rest = (found["rest"] or "").strip()
        return _after(rest, back, lexicon, read) if rest else Followed(back[0])
    if (sides := signals.SIDES.match(body)) and (times := of_two_times(sides, earlier, lexicon, read)):
        return times
    if found := signals.COMPARED.match(body):
        both = compared(found["side"], best_of(read, found["side"]), earlier, lexicon)
        if both is not None:
            return both
    time, place = SAME_TIME.search(body), SAME_PLACE.search(body)
    if time or place:
        body = " ".join(SAME_PLACE.sub("", SAME_TIME.sub("", body)).split())
        return _within(body, by_days(earlier, lexicon, time), lexicon, read, time=bool(time), place=bool(place))
    return _narrowed(body, earlier, lexicon, read, _plainly(body, earlier, lexicon, read, leaning=correcting))


def _narrowed(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, made: Followed | None
) -> Followed | None:
    """Complete what was not read with the rows before; “only” must leave something out."""
    is_read = made is not None and (made.asks or made.meaning not in (None, earlier[0]))
    if is_read and not (ONES_WITHOUT.search(body) or signals.HAD.match(body)):
        return made
    if (wider := completed(body, earlier[0], lexicon, read)) is not None:
        return wider
    if is_read:
        return made
    if made is None and (held := under_preposition(body, earlier[0], lexicon, read)) is not None:
        return held
    same = made is not None and made.meaning is not None and all("was read as" in note for note in made.notes)
    return Followed(None, problem=LEAVES_NOTHING_OUT) if same and signals.NARROWS.search(body) else made


def _grouped(body: str, earlier: Sequence[Meaning]) -> Sequence[Meaning]:
    """Return the answers from the newest split figure on, where another split takes its place."""
    if not signals.GROUPED_INSTEAD.match(body) or earlier[0].measures or earlier[0].order:
        return earlier
    at = next((at for at, meaning in enumerate(earlier) if meaning.groups and meaning.all_measures), 0)
    return earlier[at:]


def _in_turn(text: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches) -> Followed | None:
    """Take two steps said in one message: “which ones? with client”."""
    said = signals.REPLY.sub("", text)
    ones = signals.ONES_WITH.match(said)
    found = ones or signals.TWO_STEPS.match(said)
    asked = f"which ones are {ones['first']}" if ones else found["first"] if found else ""
    first = _after(asked, earlier, lexicon, read) if asked else None
    if found is None or first is None or first.meaning is None:
        return None
    second = _after(found["second"], [first.meaning, *earlier], lexicon, read)
    return replace(second, notes=(*first.notes, *second.notes)) if second and second.meaning else None


def _within(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, *, time: bool, place: bool
) -> Followed | None:
    """Read a message in the time or the place of the question before."""
    made = by_wording(body, earlier, lexicon, read) or _plainly(body, earlier, lexicon, read, leaning=False)
    if made is not None and made.meaning is None:
        return made
    standing = [sketch for sketch in read(body) if not sketch.problems and not sketch.unread() and not sketch.choices]
    new = made.meaning if made is not None else standing[0].meaning if standing else None
    if new is None:
        return Followed(None, problem=CONTINUES_NOTHING)
    ranked = earlier[0].limit == 1 and bool(earlier[0].groups)  # “top reasons there” after the worst one of the shops
    placed = not place or (made is not None and (new.among or (new.filters and not ranked)))
    if made is not None and time and new.periods and (moment := same_moment(earlier[0], new.periods[0].field)):
        return replace(made, meaning=at_moment(new, moment, earlier[0]))
    if made is not None and placed and (new.periods or not time):
        return made
    timed = next((meaning for meaning in earlier if has_time(meaning)), earlier[0]) if time else earlier[0]
    return carried_over(new, timed, lexicon, time=time, place=place) or made or Followed(None, problem=NO_TIME)


def _plainly(
    body: str, earlier: Sequence[Meaning], lexicon: Lexicon, read: Sketches, *, leaning: bool
) -> Followed | None:
    if earlier[0].measures and counts(lexicon, earlier[0].measures[0]):
        body = signals.COUNT_PER.sub("", body)
    pointing = pointing_word(body, read)
    leaning = leaning or signals.begins_leaning(body) or bool(signals.ONLY.search(body))
    stripped = signals.TAIL.sub("", signals.STRIPPED.sub("", body)) or body
    leaning = leaning or body.lower().startswith("for all ")
    whole = signals.ALL_OF.search(stripped)
    if whole and (leaning or whole[0].strip() == stripped.strip(" .!?")):
        wider = widened(stripped, whole["what"], earlier[0], lexicon, read)
        if leaning or wider.meaning not in (None, earlier[0]):
            return wider
    made = _leaning(body, stripped, earlier, lexicon, read, pointing, leaning=leaning)
    lost = made is not None and made.meaning is None and not made.asks
    return None if lost and pointing is None and stands_whole(stripped, read) else made


def _names_first(text: str, read: Sketches) -> bool:
    """Whether the opening of a message is a name of the data: “no shows last month”."""
    best = best_of(read, text)
    first = next((part for part in best.cover.parts if part.start == 0), None) if best else None
    said = signals.CORRECTION.match(text)
    return bool(said and first and first.tables and len(said[0].split()) < len(first.said.split()))


def _continues(text: str, read: Sketches, *, leaning: bool) -> bool:
    """Whether a first message leans on a question never asked."""
    best = min(read(text), key=lambda sketch: sketch.cost, default=None)
    if best is None or not fragment(best):
        return False
    return leaning or (bool(best.problems) and not best.unread() and not best.parts("rank"))


def _leaning(
    body: str,
    stripped: str,
    earlier: Sequence[Meaning],
    lexicon: Lexicon,
    read: Sketches,
    pointing: str | None,
    *,
    leaning: bool,
) -> Followed | None:
    """Read a message as a question about the rows shown or as an edit; None where it stands alone."""
    before = earlier[0]
    if (placed := about_place(body, earlier, lexicon, read)) is not None:
        return placed
    found = fitting(body, before, clearer(read, stripped, body), read)
    if found is None:
        return Followed(None, problem=CONTINUES_NOTHING)
    if is_of_new(found, before):
        return None
    counting_only = all(counts(lexicon, wanted.measure) for wanted in found.wanted)
    if pointing is not None and counting_only and signals.VALUED.search(body):
        return Followed(None, problem=WHICH_FIGURE)
    extended = _extended(body, found, before, lexicon, read, leaning=leaning)
    if extended is not None:
        return extended
    if pointing is not None:
        if signals.OF_THOSE.match(body):
            counted = (counting(read, body, table) for table in (before.root, thing(before, lexicon)))
            found = next((each for each in counted if each), found)
        return about_shown(found, antecedent(found, pointing, earlier, lexicon), lexicon, body, pointing, None)
    anew = bool(signals.WHICH.match(body)) and asks_anew(body, read)
    if fragment(found) or (leaning and not anew and not names_its_own(found, body)):
        adding = bool(signals.ADDING.search(body)) and "same" not in body.lower()
        made = with_growth(
            edited(found, rows_asked(body, found, before, lexicon), lexicon, body, add=adding), found, lexicon
        )
        return Followed(None, problem=WHICH_ROWS) if pointing is None and _hides_rows(found, body, made) else made
    return figure_again(found, before, lexicon, body)


def _extended(
    body: str, found: Sketch, before: Meaning, lexicon: Lexicon, read: Sketches, *, leaning: bool
) -> Followed | None:
    """Add columns to the same rows, ask for the rows meant, or complete a fragment."""
    rows = signals.LISTED.match(body)
    more = rows or WITH.match(body)
    shown = rows_counted(before, lexicon) if rows and before.groups else before
    wider = with_more(more["what"], shown, lexicon, read) if more else None
    if wider is not None:
        return checked(wider, before, lexicon, (), found)
    split = next((said for each in read(body) if (said := named_and_split(each, before))), "")
    if by := best_of(read, split) if split else None:
        return edited(by, before, lexicon, split, add=False)
    if (problem := of_several(body, before, lexicon, read)) is not None:
        return problem
    either = of_those_or_all(found, before, lexicon, body)
    return either or elliptic(found, before, lexicon, body, leaning=leaning)


def _hides_rows(found: Sketch, text: str, made: Followed) -> bool:
    """Whether “which pumps have under 10 pieces” would give one total, of the pumps ordered in small lots."""
    meaning = made.meaning
    first = next(iter(found.parts("filter")), None)
    asks = signals.WHICH.match(text) and first is not None and first.start == 1 and len(found.parts("filter")) > 1
    return bool(asks and meaning and meaning.all_measures and not meaning.groups)
