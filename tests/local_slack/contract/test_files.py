"""Files: the second upload of the SDK, the raw upload it is made of, download, sharing, deletion."""

from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from slack_sdk import WebClient
from slack_sdk.errors import SlackApiError

from local_slack.testing import ANA, BOT, GENERAL, MENTION, SALES, SlackServer
from tests.local_slack.contract.wire import wire_to

CSV = "name,stars\nNovák,4½\n".encode()


def test_an_upload_is_shared_in_the_thread(slack: SlackServer, client: WebClient) -> None:
    ts = slack.say(ANA, GENERAL, "export this as csv")
    client.files_upload_v2(
        filename="top apps ½.csv",
        content=CSV,
        title="Top apps",
        channel=GENERAL,
        thread_ts=ts,
        initial_comment="Here it is",
    )
    [reply] = slack.replies(GENERAL, ts)
    [file] = slack.files(GENERAL, ts)
    assert (reply["text"], reply["subtype"], reply["user"]) == ("Here it is", "file_share", BOT)
    assert (file["name"], file["title"], file["mimetype"], file["size"]) == (
        "top apps ½.csv",
        "Top apps",
        "text/csv",
        len(CSV),
    )
    assert slack.download(file) == CSV
    assert slack.control(f"file/{file['id']}")["file"] == file


def test_several_files_make_one_message(slack: SlackServer, client: WebClient) -> None:
    uploads = [{"filename": f"{number}.csv", "content": CSV} for number in range(3)]
    client.files_upload_v2(file_uploads=uploads, channel=GENERAL)
    [message] = slack.messages(GENERAL)
    assert [file["name"] for file in message["files"]] == ["0.csv", "1.csv", "2.csv"]


def test_a_file_shared_in_two_channels(slack: SlackServer, client: WebClient) -> None:
    client.files_upload_v2(filename="a.csv", content=CSV, channels=[GENERAL, SALES])
    [file] = slack.messages(SALES)[0]["files"]
    assert client.files_info(file=file["id"])["file"]["channels"] == [GENERAL, SALES]


def test_a_file_can_stay_unshared(slack: SlackServer, client: WebClient) -> None:
    [file] = client.files_upload_v2(filename="a.csv", content=CSV)["files"]
    assert slack.state()["counts"] == {"messages": 0, "files": 1, "calls": 2, "deliveries": 0}
    assert file["title"] == "a.csv"


def test_the_upload_url_takes_a_form_too(slack: SlackServer, client: WebClient) -> None:
    ticket = client.files_getUploadURLExternal(filename="a.csv", length=len(CSV))
    form = b'--cut\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + CSV + b"\r\n--cut--\r\n"
    headers = {"Content-Type": "multipart/form-data; boundary=cut"}
    with urlopen(Request(ticket["upload_url"], form, headers), timeout=10) as response:
        assert response.read() == f"OK - {len(CSV)}".encode()
    [file] = client.files_completeUploadExternal(files=[{"id": ticket["file_id"], "title": "A"}])["files"]
    assert slack.download(file) == CSV


def test_nothing_can_be_completed_before_its_bytes_came(client: WebClient) -> None:
    ticket = client.files_getUploadURLExternal(filename="a.csv", length=5)
    with pytest.raises(SlackApiError, match="file_not_found"):
        client.files_completeUploadExternal(files=[{"id": ticket["file_id"], "title": "A"}], channel_id=GENERAL)


def test_a_deleted_file_leaves_its_message(slack: SlackServer, client: WebClient) -> None:
    client.files_upload_v2(filename="a.csv", content=CSV, channel=GENERAL, initial_comment="Here it is")
    [file] = slack.messages(GENERAL)[0]["files"]
    client.files_delete(file=file["id"])
    [message] = slack.messages(GENERAL)
    assert ("files" in message, message["text"]) == (False, "Here it is")
    assert status_of(file["url_private_download"]) == 404
    with pytest.raises(SlackApiError, match="file_not_found"):
        client.files_info(file=file["id"])


def test_a_download_is_saved_and_not_shown(slack: SlackServer, client: WebClient) -> None:
    [file] = client.files_upload_v2(filename="größe.html", content=b"<script>")["files"]
    with urlopen(file["url_private_download"], timeout=10) as response:
        headers = response.headers
    assert headers["Content-Disposition"] == "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe.html"
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert status_of(file["url_private_download"], {"Authorization": "Bearer xoxb-wrong"}) == 401


def test_an_upload_to_nowhere_is_refused(slack: SlackServer) -> None:
    assert status_of(f"{slack.url}/upload/v1/F0NOTHING", data=CSV) == 404


def status_of(url: str, headers: dict[str, str] | None = None, data: bytes | None = None) -> int:
    with pytest.raises(HTTPError) as refused, urlopen(Request(url, data, headers or {}), timeout=10):
        pass
    with refused.value as response:
        return response.code


def test_a_message_with_a_file_names_no_team(slack: SlackServer) -> None:
    """Real payloads leave it out, of whomever they come (slack-api-specs #62, bolt-js #435)."""
    with wire_to(slack) as wire:
        slack.share_file(ANA, GENERAL, "a.csv", CSV, f"{MENTION} what is in here?")
        events = [wire.envelope()["payload"]["event"] for _ in range(2)]
        slack.wait_until_quiet()
    assert [event["type"] for event in events] == ["message", "app_mention"]
    assert all("team" not in event and event["files"][0]["user_team"] == "T0LOCAL" for event in events)
    assert slack.messages(GENERAL)[0].get("team") is None
