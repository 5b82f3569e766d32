"""How much one customer's tokens may keep: messages and files, by the settings of the gateway."""

import pytest
from chat import Chat, add_channels
from commands import parley
from database import IS_POSTGRES
from gateway import Gateway


@pytest.fixture(scope="module")
def gw():
    with Gateway(options=["--account-texts", "4096", "--account-files", "10000"]) as gateway:
        yield add_channels(gateway)


def test_who_has_filled_the_room_of_messages_has_to_remove_some(gw, multi):
    thread = multi.thread()
    messages = f"{thread}/messages"

    def send(text, token=multi.token, to=messages):
        return gw.post(to, {"text": text}, token=token)

    sent = []
    while (answer := send("x" * 1000)).status == 201:
        sent.append(answer["id"])
    assert (answer.status, answer.code) == (409, "quotaExceeded") and "4096" in answer["detail"]
    assert len(sent) == 4
    other = multi.thread()
    assert send("x", to=f"{other}/messages").code == "quotaExceeded"
    assert send("x", to=f"{messages}/{sent[0]}/replies").code == "quotaExceeded"
    edit = gw.patch(f"{messages}/{sent[0]}", {"text": "x" * 1001}, token=multi.token)
    assert edit.code == "quotaExceeded"
    # The gateway's token, the desk and another customer go on.
    assert send("x" * 1000, token=gw.token).status == 201
    at_desk = f"/v1/desk/threads/{thread.rpartition('/')[2]}"
    assert gw.post(f"{at_desk}/messages", {"text": "Yes?"}).status == 201
    stranger = Chat(gw, "contract-multi")
    assert gw.post(f"{stranger.thread()}/messages", {"text": "Hello"}, token=stranger.token).status == 201
    # What is removed gives its bytes back.
    assert gw.delete(f"{messages}/{sent[1]}", token=multi.token).status == 204
    assert send("x").status == 201


def test_files_have_a_room_of_their_own(gw, multi):
    def upload(size, token=multi.token):
        return gw.post(f"{multi.path}/attachments", raw=b"x" * size, token=token, headers={"Content-Type": "text/plain"})

    first = upload(6000)
    assert first.status == 201
    refused = upload(4001)
    assert (refused.status, refused.code) == (409, "quotaExceeded")
    assert upload(4001, token=gw.token).status == 201
    assert upload(4000).status == 201
    messages = f"{multi.thread()}/messages"
    sent = gw.post(messages, {"attachments": [{"id": first["id"]}]}, token=multi.token)
    assert sent.status == 201 and upload(1).code == "quotaExceeded"
    assert gw.delete(f"{messages}/{sent['id']}", token=multi.token).status == 204
    assert upload(6000).status == 201


@pytest.mark.skipif(IS_POSTGRES, reason="the command reads SQLite's file here")
def test_the_counters_agree_with_the_rows(gw, multi):
    gw.post(f"{multi.thread()}/messages", {"text": "Hello"}, token=multi.token)
    assert parley(gw, "store", "check").returncode == 0
