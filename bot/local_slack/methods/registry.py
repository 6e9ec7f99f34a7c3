"""All methods of the Web API by name, with the kind of token each takes. A new method is one line here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bot.local_slack.arguments import Arguments
from bot.local_slack.entities import Json
from bot.local_slack.methods import account, assistant, chat, conversations, reactions, uploads
from bot.local_slack.slack import LocalSlack


@dataclass(frozen=True, slots=True)
class Method:
    """`run` returns the answer without `ok`, or raises SlackError."""

    run: Callable[[LocalSlack, Arguments], Json]
    token: Literal["bot", "app", "any", "none"] = "bot"


METHODS = {
    "api.test": Method(account.api_test, token="none"),
    "apps.connections.open": Method(account.connections_open, token="app"),
    "assistant.threads.setStatus": Method(assistant.set_status),
    "assistant.threads.setSuggestedPrompts": Method(assistant.set_suggested_prompts),
    "assistant.threads.setTitle": Method(assistant.set_title),
    "auth.test": Method(account.auth_test, token="any"),
    "bots.info": Method(account.bots_info),
    "chat.delete": Method(chat.delete),
    "chat.getPermalink": Method(chat.get_permalink),
    "chat.postEphemeral": Method(chat.post_ephemeral),
    "chat.postMessage": Method(chat.post_message),
    "chat.update": Method(chat.update),
    "conversations.history": Method(conversations.conversations_history),
    "conversations.info": Method(conversations.conversations_info),
    "conversations.list": Method(conversations.conversations_list),
    "conversations.members": Method(conversations.conversations_members),
    "conversations.open": Method(conversations.conversations_open),
    "conversations.replies": Method(conversations.conversations_replies),
    "files.completeUploadExternal": Method(uploads.complete_upload),
    "files.delete": Method(uploads.delete_file),
    "files.getUploadURLExternal": Method(uploads.get_upload_url),
    "files.info": Method(uploads.file_info),
    "reactions.add": Method(reactions.add),
    "reactions.remove": Method(reactions.remove),
    "team.info": Method(account.team_info),
    "users.info": Method(account.users_info),
    "users.list": Method(account.users_list),
}
