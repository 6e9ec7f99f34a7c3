"""Agent sessions: the app's work in a thread, with a Stop button for people."""

from typing import cast, get_args

from local_slack.slack import LocalSlack
from local_slack.state.entities import Session, SessionStatus
from local_slack.state.workspace import Workspace
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods.conversations import bots_channel
from local_slack.wire import Json, SlackError


def set_status(slack: LocalSlack, args: Arguments) -> Json:
    channel, thread_ts = _thread(slack, args)
    status = session_status(args, "status")
    initiator = args.text("initiator_user_id")
    if initiator:
        slack.workspace.user(initiator)
    session = set_session(slack.workspace, channel, thread_ts, status, title=_title(slack, args), initiator=initiator)
    return {"session": _shown(session)}


def rename(slack: LocalSlack, args: Arguments) -> Json:
    """Raises session_not_found."""
    channel, thread_ts = _thread(slack, args)
    session = slack.workspace.threads.sessions.get((channel, thread_ts))
    if session is None:
        raise SlackError("session_not_found")
    args.required("title")
    return {
        "session": _shown(set_session(slack.workspace, channel, thread_ts, session.status, title=_title(slack, args)))
    }


def session_status(args: Arguments, name: str) -> SessionStatus:
    """Raises invalid_arguments."""
    status = args.required(name)
    if status not in get_args(SessionStatus):
        raise SlackError("invalid_arguments", [f"[ERROR] {name} is one of {', '.join(get_args(SessionStatus))}"])
    return cast(SessionStatus, status)


def set_session(
    workspace: Workspace, channel: str, thread_ts: str, status: SessionStatus, *, title: str = "", initiator: str = ""
) -> Session:
    """Begin or change a session; empty arguments keep the old value."""
    old = workspace.threads.sessions.get((channel, thread_ts))
    before = (old.title, old.initiator) if old else ("", "")
    session = Session(channel, thread_ts, status, title or before[0], initiator or before[1])
    workspace.threads.set_session(session)
    return session


def _title(slack: LocalSlack, args: Arguments) -> str:
    title, most = args.text("title"), slack.workspace.limits.count("session.title")
    if len(title) > most:
        raise SlackError("invalid_arguments", [f"[ERROR] title must be less than {most + 1} characters"])
    return title


def _thread(slack: LocalSlack, args: Arguments) -> tuple[str, str]:
    channel = bots_channel(slack.workspace, args, "channel_id")
    thread_ts = args.text("thread_ts")
    if thread_ts and thread_ts not in slack.workspace.history(channel.id):
        raise SlackError("invalid_thread_ts")
    return channel.id, thread_ts


def _shown(session: Session) -> Json:
    return {
        "channel_id": session.channel,
        "thread_ts": session.thread_ts,
        "status": session.status,
        "title": session.title,
        "initiator_user_id": session.initiator,
    }
