"""Files."""

from urllib.parse import quote

from local_slack.state.entities import File
from local_slack.state.workspace import Workspace
from local_slack.wire import Json


def file_object(workspace: Workspace, file: File) -> Json:
    name = quote(file.name)
    url = f"{workspace.team.url}files/{file.id}/{name}"
    shares: dict[str, list[Json]] = {}
    for channel_id, ts in file.shares:
        shown_in = workspace.history(channel_id).get(ts)
        thread_ts = shown_in.thread_ts if shown_in else None
        shares.setdefault(channel_id, []).append({"ts": ts} | ({"thread_ts": thread_ts} if thread_ts else {}))
    private = {channel_id for channel_id in shares if workspace.channel(channel_id).is_private}
    return {
        "id": file.id,
        "created": file.created,
        "timestamp": file.created,
        "name": file.name,
        "title": file.title,
        "mimetype": file.mimetype,
        "filetype": file.name.rpartition(".")[2].lower() if "." in file.name else "binary",
        "pretty_type": file.name.rpartition(".")[2].upper() if "." in file.name else "Binary",
        "alt_txt": file.alt_text,
        "user": file.user,
        "user_team": workspace.team.id,
        "editable": False,
        "size": len(file.content),
        "mode": "hosted",
        "is_external": False,
        "external_type": "",
        "is_public": any(channel_id not in private for channel_id in shares),
        "public_url_shared": False,
        "display_as_bot": False,
        "username": "",
        "url_private": url,
        "url_private_download": url,
        "permalink": url,
        "channels": [channel_id for channel_id in shares if channel_id not in private],
        "groups": [],
        "ims": [channel_id for channel_id in private if workspace.channel(channel_id).is_im],
        "shares": {
            "public": {channel_id: found for channel_id, found in shares.items() if channel_id not in private},
            "private": {channel_id: found for channel_id, found in shares.items() if channel_id in private},
        },
        "has_rich_preview": False,
        "file_access": "visible",
    }
