"""The demonstration (`--demo`) over HTTP: what is there, the bot's answers, and what it leaves alone."""

import struct
import zlib

import pytest
from gateway import Gateway, until

ADA = {"channel": "demo", "customer": {"id": "ada"}}
BO = {"agent": {"id": "bo", "name": "Bo"}}


@pytest.fixture(scope="module")
def demo():
    with Gateway(options=["--demo"]) as gateway:
        yield gateway


def session(gateway, **body):
    return "/v1/sessions/" + gateway.post("/v1/sessions", {**ADA, **body})["id"]


def messages(gateway, thread):
    """Oldest first."""
    return gateway.get(f"{thread}/messages?limit=200")["items"][::-1]


def threads(gateway):
    return gateway.get("/v1/desk/threads?state=all&limit=200")["items"]


def begin(gateway, text):
    path = session(gateway) + "/threads"
    thread = f"{path}/{gateway.post(path, {})['id']}"
    gateway.post(f"{thread}/messages", {"text": text})
    return thread


def answer(gateway, thread, count=1):
    """The newest of the bot's messages, when there are so many."""
    def of_bot():
        return [message for message in messages(gateway, thread) if message["author"]["kind"] == "bot"]

    return until("the bot's answer", lambda: len(of_bot()) >= count and of_bot()[-1])


def test_the_service_tells_of_it(demo):
    [local] = [service for service in demo.get("/v1/services")["items"] if service["id"] == "local"]
    assert local["demonstration"] == {"customer": {"id": "ada"}, "channels": ["demo", "demo-live"]}


def test_conversations_are_there_for_customer_and_desk(demo):
    path = session(demo)
    names = {thread.get("name") for thread in demo.get(f"{path}/threads")["items"]}
    assert {"Hello", "My tent", "Boots that fit", "A torn seam", "An invoice"} <= names
    kinds = {message["type"] for thread in demo.get(f"{path}/threads")["items"]
             for message in messages(demo, f"{path}/threads/{thread['id']}")}
    assert {"text", "file", "quickReplies", "listPicker", "timePicker"} <= kinds
    [waiting] = [thread for thread in threads(demo) if thread.get("queuePosition")]
    assert (waiting["id"], waiting["customFields"]) == ("demo-waiting", {"topic": "order"})


def test_the_picture_is_a_picture(demo):
    path = session(demo)
    [file] = [message for message in messages(demo, f"{path}/threads/demo-order") if message["type"] == "file"]
    picture = demo.get(f"{path}/attachments/{file['attachments'][0]['id']}")
    assert picture.kind == "image/png" and picture.body[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(picture.body):
        length, kind = struct.unpack(">I4s", picture.body[at:at + 8])
        data = picture.body[at + 8:at + 8 + length]
        assert struct.unpack(">I", picture.body[at + 8 + length:at + 12 + length])[0] == zlib.crc32(kind + data)
        chunks[kind], at = data, at + 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    assert len(zlib.decompress(chunks[b"IDAT"])) == (width // 2 + 1) * height


def test_the_bot_offers_choices_and_understands_them(demo):
    thread = begin(demo, "Where is my order?")
    choice = answer(demo, thread)
    assert choice["type"] == "listPicker" and choice["author"]["kind"] == "bot"
    button = choice["content"]["buttons"][1]
    demo.post(f"{thread}/messages", {"text": button["text"], "postback": button["postback"]})
    assert answer(demo, thread, 2)["text"] == "Order 1002: boots. It waits for you in the shop."


def test_it_is_silent_for_a_person_and_goes_on_when_it_gets_the_thread_back(demo):
    thread = begin(demo, "I would like to talk to a person")
    assert answer(demo, thread)["type"] == "quickReplies"
    desk = f"/v1/desk/threads/{thread.rpartition('/')[2]}"
    assert demo.post(f"{desk}/assign", BO).status == 200
    demo.post(f"{thread}/messages", {"text": "Where is my order?"})
    # The bot answers the same question elsewhere meanwhile.
    answer(demo, begin(demo, "Where is my order?"))
    assert messages(demo, thread)[-1]["text"] == "Where is my order?"
    assert demo.post(f"{desk}/release").status == 200
    assert answer(demo, thread, 2)["text"].startswith("I am back")


def test_it_answers_nobody_outside_its_channels(demo):
    path = session(demo, channel="multi") + "/threads"
    thread = f"{path}/{demo.post(path, {})['id']}"
    demo.post(f"{thread}/messages", {"text": "Where is my order?"})
    answer(demo, begin(demo, "Where is my order?"))
    assert [message["author"]["kind"] for message in messages(demo, thread)] == ["customer"]
    [at_desk] = [one for one in threads(demo) if one["id"] == thread.rpartition("/")[2]]
    assert at_desk["deskUnreadCount"] == 1 and "agent" not in at_desk


def test_it_is_made_once_and_can_be_switched_off(tmp_path):
    with Gateway(tmp_path) as gateway:
        path = session(gateway, channel="multi") + "/threads"
        own = gateway.post(path, {})["id"]
        gateway.post(f"{path}/{own}/messages", {"text": "From before"})
        head = gateway.get("/v1/info")["head"]
        gateway.options = ["--demo"]
        gateway.restart()
        made = gateway.get("/v1/info")["head"]
        assert made > head and own in {thread["id"] for thread in threads(gateway)}
        gateway.restart()
        assert gateway.get("/v1/info")["head"] == made, "nothing is made again"
        [local] = [service for service in gateway.get("/v1/services")["items"] if service["id"] == "local"]
        assert "demonstration" in local, "and it goes on"
        gateway.options = []
        gateway.restart()
        [local] = [service for service in gateway.get("/v1/services")["items"] if service["id"] == "local"]
        assert "demonstration" not in local and "demo" in {channel["id"] for channel in local["channels"]}
        thread = begin(gateway, "Hello?")
        desk = f"/v1/desk/threads/{thread.rpartition('/')[2]}/messages"
        assert gateway.post(desk, {"text": "A person answers.", **BO}).status == 201


def test_a_gateway_whose_channels_have_these_names_serves_without_a_demonstration(tmp_path):
    with Gateway(tmp_path) as gateway:
        gateway.post("/v1/desk/channels", {"id": "demo", "mode": "multithread"})
        gateway.options = ["--demo"]
        gateway.restart()
        [local] = [service for service in gateway.get("/v1/services")["items"] if service["id"] == "local"]
        assert "demonstration" not in local
        assert "demo-live" not in {channel["id"] for channel in local["channels"]} and threads(gateway) == []
        gateway.wait_for_log("there is no demonstration")


def test_an_answer_that_cannot_be_stored_stops_nothing_else(tmp_path):
    with Gateway(tmp_path, options=["--demo"]) as gateway:
        incoming = gateway.folder / "files/incoming"
        incoming.rmdir()
        incoming.write_text("no files can be received")
        thread = begin(gateway, "Where is order 1001?")  # its answer has a picture
        until("the bot to read it", lambda: messages(gateway, thread)[-1]["status"] == "seen")
        gateway.post(f"{thread}/messages", {"text": "Thank you"})
        assert answer(gateway, thread)["text"] == "You are welcome!"
        assert [message["author"]["kind"] for message in messages(gateway, thread)].count("bot") == 1
        incoming.unlink()
        gateway.post(f"{thread}/messages", {"text": "Where is order 1001?"})
        assert answer(gateway, thread, 2)["attachments"]
