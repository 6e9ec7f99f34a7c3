"""Upload files in three steps: reserve, send the bytes, complete and share."""

from dataclasses import replace

from local_slack.objects import file_object
from local_slack.slack import LocalSlack
from local_slack.state.entities import File, MessageDraft
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods.conversations import bots_channel
from local_slack.wire import Json, SlackError


def get_upload_url(slack: LocalSlack, args: Arguments) -> Json:
    name, alt_text = args.required("filename", "missing_argument"), args.text("alt_txt")
    if args.number("length", 0) < 1:
        raise SlackError("missing_argument", ["[ERROR] length must be the size in bytes, at least 1"])
    if len(alt_text) > slack.workspace.limits["upload.alt_text"]:
        raise SlackError("alt_txt_too_large")
    file = slack.workspace.add_file(name, slack.workspace.bot.id, alt_text)
    return {"file_id": file.id, "upload_url": f"{slack.workspace.team.url}upload/v1/{file.id}"}


def complete_upload(slack: LocalSlack, args: Arguments) -> Json:
    """Title the uploaded files and share them: one message a conversation."""
    workspace = slack.workspace
    listed = args.objects("files", "invalid_arguments")
    if not listed:
        raise SlackError("invalid_arguments", ["[ERROR] missing required field: files"])
    files = [_uploaded(slack, item) for item in listed]
    channels = args.names("channel_id") or args.names("channels")
    if len(channels) > workspace.limits["upload.channels"]:
        raise SlackError("channels_limit_exceeded")
    drafts = [
        MessageDraft(
            user=workspace.bot.id,
            channel=bots_channel(workspace, Arguments({"channel": channel})).id,
            text=args.text("initial_comment"),
            thread_ts=args.optional("thread_ts"),
            files=tuple(file.id for file in files),
            by_app=True,
        )
        for channel in channels
    ]
    for file in files:
        workspace.put_file(file)
    for draft in drafts:
        workspace.post(draft)
    return {"files": [file_object(workspace, workspace.file(file.id)) for file in files]}


def file_info(slack: LocalSlack, args: Arguments) -> Json:
    file = slack.workspace.file(args.required("file", "file_not_found"))
    return {"file": file_object(slack.workspace, file), "comments": [], "response_metadata": {"next_cursor": ""}}


def delete_file(slack: LocalSlack, args: Arguments) -> Json:
    slack.workspace.delete_file(args.required("file", "file_not_found"))
    return {}


def _uploaded(slack: LocalSlack, item: Json) -> File:
    file = slack.workspace.file(str(item.get("id")))
    if not file.content:
        raise SlackError("file_not_found", ["[ERROR] nothing was uploaded to this file's upload_url"])
    return replace(file, title=str(item.get("title") or file.name))
