"""Read a page of metrics."""

from prometheus_client.parser import text_string_to_metric_families


def figures(page: bytes | str) -> dict[tuple[object, ...], float]:
    """Return the samples by their name and sorted labels."""
    text = page.decode() if isinstance(page, bytes) else page
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
