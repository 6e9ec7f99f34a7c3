"""Status line, title and suggested prompts of a thread."""

from local_slack.slack import LocalSlack
from local_slack.state.changes import PromptsSet
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods.conversations import bots_channel
from local_slack.wire import Json, SlackError


def set_status(slack: LocalSlack, args: Arguments) -> Json:
    channel, thread_ts = _thread(slack, args)
    loading_messages = args.names("loading_messages")
    most = slack.workspace.limits.count("status.loading_messages")
    if not args.has("status") or len(loading_messages) > most:
        raise SlackError("invalid_arguments", [f"[ERROR] give a status and at most {most} loading_messages"])
    slack.workspace.threads.set_status(channel, thread_ts, args.text("status"), loading_messages)
    return {}


def set_title(slack: LocalSlack, args: Arguments) -> Json:
    slack.workspace.threads.set_title(*_thread(slack, args), args.required("title"))
    return {}


def set_suggested_prompts(slack: LocalSlack, args: Arguments) -> Json:
    channel = bots_channel(slack.workspace, args, "channel_id")
    if args.text("thread_ts"):
        _thread(slack, args)
    prompts = args.objects("prompts", "invalid_arguments")
    are_whole = all(prompt.get("title") and prompt.get("message") for prompt in prompts)
    most = slack.workspace.limits.count("thread.prompts")
    if not are_whole or not 1 <= len(prompts) <= most:
        raise SlackError("invalid_arguments", [f"[ERROR] give 1 to {most} prompts with a title and a message each"])
    slack.workspace.threads.set_prompts(PromptsSet(channel.id, args.text("thread_ts"), args.text("title"), prompts))
    return {}


def _thread(slack: LocalSlack, args: Arguments) -> tuple[str, str]:
    channel = bots_channel(slack.workspace, args, "channel_id")
    thread_ts = args.required("thread_ts", "invalid_thread_ts")
    if thread_ts not in slack.workspace.history(channel.id):
        raise SlackError("invalid_thread_ts")
    return channel.id, thread_ts
