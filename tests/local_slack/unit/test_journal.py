"""What the journal keeps, and how an entry changes."""

from local_slack.delivery.journal import MOST_ENTRIES, Journal, JournalEntry
from local_slack.state.clock import Clock


def test_the_newest_entries_are_kept() -> None:
    journal = Journal(Clock())
    for number in range(MOST_ENTRIES + 10):
        journal.record("api.test", {"number": number}, {"ok": True}, "ok", 200, 1.0)
    kept = journal.entries_since(0)
    assert (journal.dropped, kept[0].number, kept[-1].number, len(kept)) == (10, 11, MOST_ENTRIES + 10, MOST_ENTRIES)
    assert [call.number for call in journal.calls_since(MOST_ENTRIES + 8)] == [MOST_ENTRIES + 9, MOST_ENTRIES + 10]


def test_readers_see_an_entry_and_what_becomes_of_it() -> None:
    journal, seen = Journal(Clock()), list[JournalEntry]()
    journal.subscribe(seen.append)
    number = journal.add("envelope", "message", {}, "waiting")
    journal.change(number, outcome="acknowledged", attempt=1)
    journal.change(number + 1, outcome="never was")
    assert [(entry.number, entry.outcome, entry.attempt) for entry in seen] == [
        (1, "waiting", 0),
        (1, "acknowledged", 1),
    ]


def test_a_cleared_journal_counts_anew() -> None:
    journal = Journal(Clock())
    journal.add("envelope", "message", {}, "waiting")
    journal.clear()
    assert (journal.dropped, journal.add("envelope", "message", {}, "waiting")) == (0, 1)
