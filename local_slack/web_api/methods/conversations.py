"""Conversations, their members and messages."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation

from local_slack.objects import channel_object, message_object
from local_slack.slack import LocalSlack
from local_slack.state.entities import Channel, Message
from local_slack.state.workspace import Workspace
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.paging import page_of
from local_slack.wire import Json, SlackError

_END_OF_TIME = "9999999999"
_DEFAULT_REPLIES = 1000


def conversations_list(slack: LocalSlack, args: Arguments) -> Json:
    wanted = set(args.names("types") or ["public_channel"])
    found = [channel for channel in slack.workspace.channels_of(slack.workspace.bot.id) if _type(channel) in wanted]
    page = page_of(found, args, key=lambda channel: channel.id, default=100, most=_most(slack.workspace))
    return {
        "channels": [_shown(slack.workspace, channel) for channel in page.items],
        "response_metadata": page.metadata,
    }


def conversations_info(slack: LocalSlack, args: Arguments) -> Json:
    return {"channel": _shown(slack.workspace, _seen_channel(slack.workspace, args))}


def conversations_members(slack: LocalSlack, args: Arguments) -> Json:
    page = page_of(bots_channel(slack.workspace, args).members, args, key=str, default=100, most=_most(slack.workspace))
    return {"members": list(page.items), "response_metadata": page.metadata}


def conversations_open(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    if args.has("channel"):
        channel = bots_channel(workspace, args)
    else:
        users = args.names("users")
        if len(users) != 1:
            raise SlackError("users_list_not_supplied" if not users else "method_not_supported_for_channel_type")
        if workspace.user(users[0]).is_deleted:
            raise SlackError("user_disabled")
        channel = workspace.open_im(workspace.bot.id, users[0])
    shown = _shown(workspace, channel) if args.flag("return_im") else {"id": channel.id}
    return {"channel": shown}


def conversations_history(slack: LocalSlack, args: Arguments) -> Json:
    """Newest first, without the replies of threads."""
    channel = bots_channel(slack.workspace, args)
    shown = list(filter(_within(args), slack.workspace.history(channel.id).top_level()))
    return _messages(slack.workspace, shown[::-1], args, default=100) | {"pin_count": 0}


def conversations_replies(slack: LocalSlack, args: Arguments) -> Json:
    """The root, exempt from time limits, and its replies, oldest first."""
    channel = bots_channel(slack.workspace, args)
    history = slack.workspace.history(channel.id)
    found = history.get(args.required("ts", "thread_not_found"))
    root = history.get(found.thread_ts or found.ts) if found else None
    if root is None:
        raise SlackError("thread_not_found")
    replies = filter(_within(args), history.replies(root.ts))
    return _messages(slack.workspace, [root, *replies], args, default=_DEFAULT_REPLIES)


def bots_channel(workspace: Workspace, args: Arguments, name: str = "channel") -> Channel:
    """Return the conversation with this id or #name. Raises channel_not_found, and not_in_channel for public ones."""
    channel = _seen_channel(workspace, args, name)
    if workspace.bot.id not in channel.members:
        raise SlackError("not_in_channel")
    return channel


def _seen_channel(workspace: Workspace, args: Arguments, name: str = "channel") -> Channel:
    given = args.required(name, "channel_not_found").lstrip("#")
    for channel in workspace.channels.values():
        is_seen = workspace.bot.id in channel.members or not channel.is_private
        if given and given in {channel.id, channel.name} and is_seen:
            return channel
    raise SlackError("channel_not_found")


def _shown(workspace: Workspace, channel: Channel) -> Json:
    return channel_object(workspace, channel, workspace.bot.id)


def _messages(workspace: Workspace, found: list[Message], args: Arguments, default: int) -> Json:
    page = page_of(found, args, key=lambda message: message.ts, default=default, most=_most(workspace))
    with_metadata = args.flag("include_all_metadata")
    answer: Json = {
        "messages": [message_object(workspace, message, with_metadata=with_metadata) for message in page.items],
        "has_more": bool(page.next_cursor),
    }
    return answer | ({"response_metadata": page.metadata} if page.next_cursor else {})


def _most(workspace: Workspace) -> float:
    return workspace.limits["list.page"]


def _within(args: Arguments) -> Callable[[Message], bool]:
    """Return the test for `oldest`, `latest` and `inclusive`. Raises invalid_ts_oldest, invalid_ts_latest."""
    oldest, latest = _instant(args, "oldest", "0"), _instant(args, "latest", _END_OF_TIME)
    bounds = {oldest, latest} if args.flag("inclusive") else set()

    def is_within(message: Message) -> bool:
        at = Decimal(message.ts)
        return oldest < at < latest or at in bounds

    return is_within


def _instant(args: Arguments, name: str, default: str) -> Decimal:
    try:
        return Decimal(args.text(name, default))
    except InvalidOperation:
        raise SlackError(f"invalid_ts_{name}") from None


def _type(channel: Channel) -> str:
    return {"channel": "public_channel", "group": "private_channel", "im": "im"}[channel.channel_type]
