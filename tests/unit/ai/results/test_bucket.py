"""Places named by a URL: its keys are shown to nobody, and a bad one is told in one sentence."""

import pytest

from ai.errors import ConfigError
from ai.results.places.bucket import BucketFiles

KEYS = "s3://AKIA:very-secret@rows/of/us?region=eu-central-1&scheme=http&endpoint_override=127.0.0.1:1"


def test_keys_are_shown_to_nobody() -> None:
    assert BucketFiles(KEYS).place == "s3://rows/of/us"


@pytest.mark.parametrize("url", ["somewhere", "nope://AKIA:very-secret@rows", f"{KEYS}&very=secret"])
def test_a_url_that_names_no_place_is_told(url: str) -> None:
    with pytest.raises(ConfigError, match="RESULTS_STORE is") as raised:
        BucketFiles(url)
    assert "secret" not in str(raised.value)
