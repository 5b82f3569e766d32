"""Webhooks of Sendbird's sandbox, as a back end gets them: signed, tried again, and in order."""

import hashlib
import hmac
import json
import threading

import pytest
from gateway import Gateway
from receiver import Receiver
from test_sendbird_sandbox import Program


class Webhook:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body
        self.json = json.loads(body)
        self.category = self.json["category"].removeprefix("group_channel:")

    def __repr__(self):
        return f"<{self.category}>"


class BackEnd(Receiver):
    """A back end of the platform's customers. It checks what comes as their documents say."""

    reads = Webhook
    token = None

    def check(self, webhook):
        signature = hmac.new(self.token.encode(), webhook.body, hashlib.sha256).hexdigest()
        if webhook.headers.get("x-sendbird-signature") != signature:
            self.faults.append((webhook, "another signature"))
        if webhook.headers.get("user-agent") != "SendBird" or webhook.headers.get("content-type") != "application/json":
            self.faults.append((webhook, "other headers"))
        if b"/" in webhook.body.replace(b"\\/", b""):
            self.faults.append((webhook, "a slash is not escaped"))

    def categories(self, count):
        return [self.next().category for _ in range(count)]


@pytest.fixture(scope="module")
def gateway():
    with Gateway(options=["--sendbird-sandbox"]) as gateway:
        yield gateway


@pytest.fixture
def program(gateway):
    program = Program(gateway)
    for name in ("ada", "bob"):
        if program.call("GET", f"/users/{name}")[0] != 200:
            program.user(name)
    return program


@pytest.fixture
def back_end(program):
    with BackEnd(lambda webhook: 200) as receiver:
        receiver.token = program.info["apiToken"]
        settings = {"enabled": True, "url": receiver.url, "enabled_events": ["*"], "include_members": False}
        program.ask("PUT", "/applications/settings/webhook", settings)
        yield receiver
        program.ask("PUT", "/applications/settings/webhook", {"enabled": False, "url": receiver.url})


def channel(program):
    return program.ask("POST", "/group_channels", {"user_ids": ["ada", "bob"], "name": "Order 7/81"})["channel_url"]


def send(program, url, text, user="ada"):
    body = {"message_type": "MESG", "user_id": user, "message": text}
    return program.ask("POST", f"/group_channels/{url}/messages", body)


def test_all_that_happens_is_told_in_order(gateway, program, back_end):
    """What a program, a customer and an agent do."""
    url = channel(program)
    sent = send(program, url, "and/or")
    assert back_end.categories(2) == ["create", "join"]
    told = back_end.next()
    assert (told.category, told.json["payload"]["message_id"]) == ("message_send", sent["message_id"])
    assert (told.json["app_id"], told.json["channel"]["name"]) == (program.info["applicationId"], "Order 7/81")
    session = gateway.post("/v1/sessions", {"channel": program.info["channel"], "customer": {"id": "bob"}})["id"]
    thread = f"/v1/sessions/{session}/threads/{url}"
    gateway.post(f"{thread}/read")
    read = back_end.next()
    assert (read.category, read.json["read_updates"][0]["user_id"]) == ("message_read", "bob")
    answer = gateway.post(f"/v1/desk/threads/{url}/messages", {"text": "At the desk"})
    told = back_end.next()
    assert (told.category, told.json["payload"]["message"]) == ("message_send", "At the desk")
    assert told.json["sender"]["user_id"].startswith("agent_")
    gateway.delete(f"/v1/desk/threads/{url}/messages/{answer['id']}")
    assert back_end.next().category == "message_delete"
    program.ask("DELETE", f"/group_channels/{url}")
    assert back_end.next().category == "remove"
    assert back_end.quiet() == []


def test_what_is_refused_is_tried_three_times(program, back_end):
    url = channel(program)
    assert back_end.categories(2) == ["create", "join"]
    back_end.answer = lambda webhook: 500 if webhook.json.get("payload", {}).get("message") == "1" else 200
    send(program, url, "1")
    send(program, url, "2")
    tries = [back_end.next() for _ in range(4)]
    assert [webhook.json["payload"]["message"] for webhook in tries] == ["1", "1", "1", "2"]
    assert len({webhook.body for webhook in tries[:3]}) == 1
    assert back_end.quiet() == []


def test_a_crash_loses_none(gateway, program, back_end):
    url = channel(program)
    assert back_end.categories(2) == ["create", "join"]
    begun, end = threading.Event(), threading.Event()

    def hold(webhook):
        begun.set()
        end.wait(30)
        return 200

    back_end.answer = hold
    for text in ("1", "2"):
        send(program, url, text)
    assert begun.wait(15)
    gateway.kill()
    end.set()
    assert back_end.next().json["payload"]["message"] == "1"
    gateway.restart()
    program.info = gateway.get("/v1/info")["sendbirdSandbox"]
    assert [back_end.next().json["payload"]["message"] for _ in range(2)] == ["1", "2"]


def test_webhooks_go_wrong_by_script(gateway, program, back_end):
    url = channel(program)
    assert back_end.categories(2) == ["create", "join"]
    sends = "group_channel:message_send"
    kinds = ["dropWebhook", "duplicatePush", "reorderPush", "delayPush"]
    steps = [{"fault": {"kind": kind, "event": sends, "channel": url, "milliseconds": 50}} for kind in kinds]
    gateway.post("/v1/sandbox/scripts?platform=sendbird", {"steps": steps})
    for text in "12345":
        send(program, url, text)
    assert [back_end.next().json["payload"]["message"] for _ in range(5)] == ["2", "2", "4", "3", "5"]
    assert back_end.quiet() == []
    frames = gateway.get(f"/v1/sandbox/frames?platform=sendbird&event={sends}")["items"][-14:]
    happened = [frame["faultKind"] for frame in frames if frame["kind"] == "fault"]
    assert happened == kinds
    assert [frame["direction"] for frame in frames if frame["kind"] == "answer"] == ["toSandbox"] * 5
    gateway.post("/v1/sandbox/faults?platform=sendbird", {"kind": "badSignature"})
    send(program, url, "6")
    assert back_end.next().json["payload"]["message"] == "6"
    assert [fault for _, fault in back_end.faults] == ["another signature"]
    back_end.faults.clear()
    assert back_end.quiet() == []


def test_only_what_is_wanted_comes(program, back_end):
    settings = {"enabled": True, "url": back_end.url, "enabled_events": ["group_channel:message_send"], "include_members": True}
    shown = program.ask("PUT", "/applications/settings/webhook", settings)
    assert shown == {"webhook": settings | {"include_unread_count": False}}
    assert program.ask("GET", "/applications/settings/webhook") == shown
    send(program, channel(program), "1")
    told = back_end.next()
    assert (told.category, [member["user_id"] for member in told.json["members"]]) == ("message_send", ["ada", "bob"])


def test_a_bot_is_called_and_answers(gateway, program, back_end):
    """Its own answer makes a webhook, and no callback."""
    url = channel(program)
    assert back_end.categories(2) == ["create", "join"]
    with BackEnd(lambda callback: 200) as bot:
        bot.token = program.info["apiToken"]
        program.ask("POST", "/bots", {
            "bot_userid": "help", "bot_nickname": "Help", "bot_profile_url": "", "bot_callback_url": bot.url})
        program.ask("POST", "/bots/help/channels", {"channel_urls": [url]})
        assert bot.next().category == "bot_event/group_channel:join"
        assert back_end.next().category == "join"
        session = gateway.post("/v1/sessions", {"channel": program.info["channel"], "customer": {"id": "bob"}})["id"]
        gateway.post(f"/v1/sessions/{session}/threads/{url}/messages", {"text": "/hours to/day"})
        asked = bot.next()
        assert (asked.category, asked.json["message"]["text"]) == ("bot_message_notification", "/hours to/day")
        assert (asked.json["sender"]["user_id"], asked.json["bot"]["bot_userid"]) == ("bob", "help")
        assert asked.json["channel"]["channel_url"] == url
        program.ask("POST", "/bots/help/send", {"channel_url": url, "message": "/always"})
        asked, answered, read = (back_end.next() for _ in range(3))
        assert [webhook.json["sender"]["user_id"] for webhook in (asked, answered)] == ["bob", "help"]
        assert (read.category, read.json["read_updates"][0]["user_id"]) == ("message_read", "help"), "who answers has read"
        assert bot.quiet() == []
        program.ask("DELETE", "/bots/help")
        assert back_end.next().category == "leave"
        send(program, url, "/hours")
        assert back_end.next().category == "message_send"


@pytest.mark.parametrize("url", ["http://169.254.169.254/", "ftp://a/", "http://u:p@a/", "no url"])
def test_some_addresses_are_refused(program, url):
    status, answer = program.call("PUT", "/applications/settings/webhook", {"enabled": True, "url": url})
    assert (status, answer["code"]) == (400, 400114)


def test_the_gateway_does_not_call_itself(program):
    status, answer = program.call(
        "PUT", "/applications/settings/webhook", {"enabled": True, "url": program.info["url"] + "/v3/users"})
    assert (status, answer["code"]) == (400, 400114)
