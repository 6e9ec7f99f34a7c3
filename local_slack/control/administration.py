"""Acts of the workspace's owners: people come, change and go, channels are archived and renamed, organisations join."""

from dataclasses import replace
from typing import cast, get_args

from local_slack.slack import LocalSlack
from local_slack.state import people
from local_slack.state.changes import ChannelArchived, ChannelOpened, ChannelRenamed, UserChanged
from local_slack.state.entities import Channel, User, UserKind
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.json_endpoints import Answer
from local_slack.wire import Json, SlackError


def _user(slack: LocalSlack, args: Arguments) -> Json:
    """Change the `kind`, home `team` or `locale` of a person, or add one, in `channels` too."""
    workspace, user_id = slack.workspace, args.required("user")
    is_new = user_id not in workspace.users
    name = args.text("name", user_id.lower())
    old = User(user_id, name, name.capitalize()) if is_new else workspace.user(user_id)
    if old.is_bot:
        raise SlackError("invalid_arguments", ["the bot stays what it is"])
    kind, locale = _kind(args, old), args.text("locale", old.locale)
    user = replace(old, kind=kind, team=args.text("team", old.team), locale=locale)
    workspace.users[user.id] = user
    if is_new:
        workspace.open_im(user.id, workspace.bot.id)
    for channel_id in args.names("channels"):
        people.join(workspace, [user.id], channel_id)
    workspace.publish(UserChanged(user, workspace.clock.next_ts()))
    return {}


def _deactivate(slack: LocalSlack, args: Arguments) -> Json:
    workspace = slack.workspace
    user = people.person(workspace, args.required("user"))
    for channel in workspace.channels_of(user.id):
        if not channel.is_im:
            people.leave(workspace, user.id, channel.id)
    gone = workspace.users[user.id] = replace(user, is_deleted=True)
    workspace.publish(UserChanged(gone, workspace.clock.next_ts()))
    return {}


def _open_channel(slack: LocalSlack, args: Arguments) -> Json:
    """Add a channel with `members`, in another workspace of the organisation if `team` names one."""
    workspace = slack.workspace
    members = tuple(workspace.user(member).id for member in args.names("members"))
    made = Channel(
        args.required("channel"),
        args.required("name"),
        members,
        int(workspace.clock.now()),
        is_private=args.flag("is_private"),
        team=args.text("team"),
    )
    workspace.put_channel(made)
    workspace.publish(ChannelOpened(made))
    return {}


def _archive(slack: LocalSlack, args: Arguments) -> Json:
    workspace, channel = slack.workspace, _channel(slack, args)
    changed = replace(channel, is_archived=not args.flag("undo"))
    workspace.put_channel(changed)
    workspace.publish(ChannelArchived(changed, args.text("user", channel.members[0]), workspace.clock.next_ts()))
    return {}


def _rename(slack: LocalSlack, args: Arguments) -> Json:
    renamed = replace(_channel(slack, args), name=args.required("name"))
    slack.workspace.put_channel(renamed)
    slack.workspace.publish(ChannelRenamed(renamed, slack.workspace.clock.next_ts()))
    return {}


def _share(slack: LocalSlack, args: Arguments) -> Json:
    """Share a channel `with` another company ("external") or another workspace of the organisation ("org")."""
    partner = args.required("with")
    if partner not in {"external", "org"}:
        raise SlackError("invalid_arguments", ["with is external or org"])
    channel = _channel(slack, args)
    is_external = partner == "external"
    shared = replace(
        channel,
        is_ext_shared=channel.is_ext_shared or is_external,
        is_org_shared=channel.is_org_shared or not is_external,
    )
    slack.workspace.put_channel(shared)
    slack.workspace.publish(ChannelOpened(shared))
    return {}


def _organisation(slack: LocalSlack, args: Arguments) -> Json:
    """Put the workspace into an organisation `id`; with `org_install` the app is installed for all of it."""
    slack.workspace.team = replace(
        slack.workspace.team,
        enterprise=args.text("id", "E0ORG"),
        enterprise_name=args.text("name", "Local Organisation"),
        is_org_install=args.flag("org_install"),
    )
    return {}


def _kind(args: Arguments, old: User) -> UserKind:
    kind = args.text("kind", old.kind)
    if kind not in get_args(UserKind) or kind == "bot":
        raise SlackError("invalid_arguments", ["kind is member, guest, colleague or external"])
    return cast(UserKind, kind)


def _channel(slack: LocalSlack, args: Arguments) -> Channel:
    channel = slack.workspace.channel(args.required("channel"))
    if channel.is_im:
        raise SlackError("method_not_supported_for_channel_type")
    return channel


ADMINISTRATION: dict[str, Answer] = {
    "user": _user,
    "deactivate": _deactivate,
    "channel": _open_channel,
    "archive": _archive,
    "rename": _rename,
    "share": _share,
    "organisation": _organisation,
}
