"""Pictures of charts: PNG and SVG, without a browser or a network, in a font that comes with the drawer."""

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from ai.errors import UserError

PictureKind = Literal["png", "svg", "spec"]
PIXELS = 2.0  # of the picture for each of the chart
VERSION = "6.4"


class NotDrawn(UserError):
    """The drawer failed; the figures are shown without a picture."""


def png(spec: dict[str, Any]) -> bytes:
    """Return a picture of 2,400 x 1,350 pixels. Raises NotDrawn."""
    import vl_convert  # only for the first picture

    try:
        return bytes(vl_convert.vegalite_to_png(json.dumps(spec), vl_version=VERSION, scale=PIXELS))
    except ValueError as error:
        raise NotDrawn("The chart could not be drawn.") from error


def svg(spec: dict[str, Any]) -> str:
    """Return the chart as SVG. Raises NotDrawn."""
    import vl_convert

    try:
        return str(vl_convert.vegalite_to_svg(json.dumps(spec), vl_version=VERSION))
    except ValueError as error:
        raise NotDrawn("The chart could not be drawn.") from error


def _spec(spec: dict[str, Any]) -> bytes:
    return json.dumps(spec, ensure_ascii=False).encode()


DRAWERS: Mapping[PictureKind, Callable[[dict[str, Any]], bytes]] = {
    "png": png,
    "svg": lambda spec: svg(spec).encode(),
    "spec": _spec,
}
