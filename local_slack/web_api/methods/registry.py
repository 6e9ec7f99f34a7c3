"""The table of all Web API methods: function, rate limit tier, scope, token.

A new method is one line here. "*:history" stands for the scope of the named conversation's kind.
"""

from collections.abc import Callable
from dataclasses import dataclass

from local_slack.slack import LocalSlack
from local_slack.web_api.arguments import Arguments
from local_slack.web_api.methods import (
    account,
    agents,
    assistant,
    chat,
    conversations,
    oauth,
    reactions,
    streaming,
    uploads,
    usergroups,
    views,
)
from local_slack.wire import Json


@dataclass(frozen=True, slots=True)
class Method:
    """`run` returns the answer without `ok`, or raises SlackError. `token` is bot, app, any or none."""

    run: Callable[[LocalSlack, Arguments], Json]
    tier: int | None = None
    scope: str = ""
    token: str = "bot"


METHODS = {
    "agents.sessions.rename": Method(agents.rename, 3, "assistant:write"),
    "agents.sessions.setStatus": Method(agents.set_status, 3, "assistant:write"),
    "api.test": Method(account.api_test, token="none"),
    "apps.connections.open": Method(account.connections_open, 1, token="app"),
    "assistant.threads.setStatus": Method(assistant.set_status, None, "chat:write"),
    "assistant.threads.setSuggestedPrompts": Method(assistant.set_suggested_prompts, 4, "assistant:write"),
    "assistant.threads.setTitle": Method(assistant.set_title, 4, "assistant:write"),
    "auth.test": Method(account.auth_test, token="any"),
    "bots.info": Method(account.bots_info, 3, "users:read"),
    "chat.appendStream": Method(streaming.append_stream, 4, "chat:write"),
    "chat.delete": Method(chat.delete, 3, "chat:write"),
    "chat.getPermalink": Method(chat.get_permalink),
    "chat.postEphemeral": Method(chat.post_ephemeral, 4, "chat:write"),
    "chat.postMessage": Method(chat.post_message, None, "chat:write"),
    "chat.scheduleMessage": Method(chat.schedule_message, 3, "chat:write"),
    "chat.startStream": Method(streaming.start_stream, 2, "chat:write"),
    "chat.stopStream": Method(streaming.stop_stream, 2, "chat:write"),
    "chat.update": Method(chat.update, 3, "chat:write"),
    "conversations.history": Method(conversations.conversations_history, 3, "*:history"),
    "conversations.info": Method(conversations.conversations_info, 3, "*:read"),
    "conversations.list": Method(conversations.conversations_list, 2, "*:read"),
    "conversations.members": Method(conversations.conversations_members, 4, "*:read"),
    "conversations.open": Method(conversations.conversations_open, 3, "im:write"),
    "conversations.replies": Method(conversations.conversations_replies, 3, "*:history"),
    "files.completeUploadExternal": Method(uploads.complete_upload, 4, "files:write"),
    "files.delete": Method(uploads.delete_file, 3, "files:write"),
    "files.getUploadURLExternal": Method(uploads.get_upload_url, 4, "files:write"),
    "files.info": Method(uploads.file_info, 4, "files:read"),
    "oauth.v2.access": Method(oauth.v2_access, 4, token="none"),
    "reactions.add": Method(reactions.add, 3, "reactions:write"),
    "reactions.remove": Method(reactions.remove, 2, "reactions:write"),
    "team.info": Method(account.team_info, 3, "team:read"),
    "usergroups.list": Method(usergroups.usergroups_list, 2, "usergroups:read"),
    "usergroups.users.list": Method(usergroups.users_list, 2, "usergroups:read"),
    "users.info": Method(account.users_info, 4, "users:read"),
    "users.list": Method(account.users_list, 2, "users:read"),
    "views.open": Method(views.open_view, 4),
    "views.publish": Method(views.publish_view, 4),
    "views.push": Method(views.push_view, 4),
    "views.update": Method(views.update_view, 4),
}
