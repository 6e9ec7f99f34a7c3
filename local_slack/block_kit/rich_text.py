"""The rich_text block."""

from local_slack.block_kit.rules import Rule, anything, by_type, fields, flag, list_of, number, one_of, text

_STYLE = fields(
    {},
    dict.fromkeys(("bold", "italic", "strike", "code", "highlight", "client_highlight", "unlink", "underline"), flag),
)


def _inline(kind: str, required: dict[str, Rule], **optional: Rule) -> Rule:
    return fields({"type": one_of(kind), **required}, {"style": _STYLE, **optional})


_INLINE = by_type(
    {
        "text": _inline("text", {"text": text()}),
        "link": _inline("link", {"url": text("link.url")}, text=text(), unsafe=flag),
        "user": _inline("user", {"user_id": text()}),
        "usergroup": _inline("usergroup", {"usergroup_id": text()}),
        "channel": _inline("channel", {"channel_id": text()}),
        "team": _inline("team", {"team_id": text()}),
        "emoji": _inline("emoji", {"name": text()}, unicode=text(), url=text(), skin_tone=number(is_whole=True)),
        "broadcast": _inline("broadcast", {"range": one_of("here", "channel", "everyone")}),
        "color": _inline("color", {"value": text()}),
        "date": _inline(
            "date", {"timestamp": number(0, is_whole=True), "format": text()}, url=text("link.url"), fallback=text()
        ),
    },
    "type of rich text",
)
_BORDER = number(0, 1, is_whole=True)
_SECTION = fields({"type": one_of("rich_text_section"), "elements": list_of(_INLINE, 0)})
_PARTS = by_type(
    {
        "rich_text_section": _SECTION,
        "rich_text_list": fields(
            {
                "type": anything,
                "style": one_of("bullet", "ordered"),
                "elements": list_of(by_type({"rich_text_section": _SECTION}, "type of rich text")),
            },
            {"indent": number(0, 8, is_whole=True), "offset": number(0, is_whole=True), "border": _BORDER},
        ),
        "rich_text_preformatted": fields(
            {"type": anything, "elements": list_of(_INLINE)}, {"border": _BORDER, "language": text()}
        ),
        "rich_text_quote": fields({"type": anything, "elements": list_of(_INLINE)}, {"border": _BORDER}),
    },
    "type of rich text",
)
RICH_TEXT = fields({"type": one_of("rich_text"), "elements": list_of(_PARTS)}, {"block_id": text("block_id")})
