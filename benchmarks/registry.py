"""All benchmarks, in the order of the report: a module with `rows(size)` and one line here."""

from benchmarks.report.run import Benchmark

BENCHMARKS = (
    Benchmark("benchmarks.turns", "From a message to its answer", 5, "seconds of 50 questions", seconds=480),
    Benchmark("benchmarks.losses", "What is lost", 20, "questions under way", seconds=600),
    Benchmark(
        "benchmarks.conversations", "From a mention to the right rows", 3, "rounds", seconds=420, peers=("agents",)
    ),
    Benchmark("benchmarks.crowds", "Many at once", 200, "questions"),
    Benchmark("benchmarks.footprint", "Starts, rest and memory", 5_000, "questions", seconds=600),
    Benchmark("benchmarks.tiers", "Goodput at Slack's limits", 200, "threads at most", seconds=600),
    Benchmark("benchmarks.bad_models", "A bad model", 150, "questions", seconds=420),
    Benchmark("benchmarks.agents", "One question, beside other agents", 8, "rounds", peers=("agents", "vanna07")),
    Benchmark("benchmarks.replay", "A model's recorded SQL", 60, "questions"),
    Benchmark("benchmarks.companies", "The built-in reader on companies", 10, "sets of each kind at most"),
    Benchmark(
        "benchmarks.abstaining", "When the built-in reader asks back", 5, "companies of strangers", seconds=1_800
    ),
    Benchmark("benchmarks.text_to_sql", "The built-in reader on public sets", 5, "questions of which one is asked"),
    Benchmark("benchmarks.reading_speed", "Reading a question", 500, "tables"),
    Benchmark("benchmarks.manners", "Talk in threads", 5, "folds"),
    Benchmark(
        "benchmarks.memory",
        "Memory of threads",
        10_000,
        "messages in the longest thread",
        seconds=420,
        peers=("memory",),
    ),
    Benchmark("benchmarks.search", "Search", 100_000, "messages"),
    Benchmark("benchmarks.sql", "Rows to results and files", 200_000, "rows", peers=("pandas",)),
    Benchmark("benchmarks.catalog", "Catalogue", 1_000, "tables"),
    Benchmark("benchmarks.guard", "Guard", 3, "rounds"),
    Benchmark("benchmarks.layers", "Layers of defence", 2, "seconds for a query"),
    Benchmark("benchmarks.local_slack", "The local Slack", 2, "seconds a call"),
)
