"""Parley against Parley: one gateway's sandbox is the platform of another one's sessions, over real sockets."""

import contextlib
import json
import sqlite3
import uuid

import pytest
from database import IS_POSTGRES
from gateway import Gateway, until

CHANNELS = ["contract-multi", "contract-single", "contract-live-wire"]
QUIET = 30  # seconds after a start in which nothing is pushed
AGENT = {"id": "4021", "name": "Marta Novak"}


@pytest.fixture(scope="module")
def far(gw):
    """The gateway that plays the platform."""
    gw.post("/v1/desk/channels", {"id": "contract-live-wire", "mode": "liveChat"})
    return gw


@pytest.fixture(scope="module")
def near():
    """The gateway whose sessions are on the platform."""
    with Gateway() as gateway:
        yield gateway


class Wire:
    """A session at the near gateway, with a thread, and the same thread at the far gateway's desk."""

    def __init__(self, near, far, channel, authorization="anonymous", customer=None, login=None):
        self.near, self.far = near, far
        sandbox = far.get("/v1/info")["sandbox"]
        place = next(c for c in sandbox["channels"] if c["channel"] == channel and c.get("authorization", "anonymous") == authorization)
        self.address = {
            "service": "cxone", "brandId": sandbox["brandId"], "channelId": place["id"],
            "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]},
        }
        self.customer = {"customer": customer} if customer else {}
        answer = self.sign_in(login)
        assert answer.status == 201 and answer["state"] == "ready", answer
        self.session = answer.json
        self.path = f"/v1/sessions/{answer['id']}"
        if answer["mode"] == "singlethread":
            self.id = near.get(f"{self.path}/threads")["items"][0]["id"]
        else:
            made = near.post(f"{self.path}/threads", {"name": "Invoice"} if answer["mode"] == "multithread" else {})
            assert made.status == 201, made
            self.id = made["id"]
        self.thread, self.desk = f"{self.path}/threads/{self.id}", f"/v1/desk/threads/{self.id}"

    def sign_in(self, login=None, at=None):
        """Another session of the customer, also at another gateway; `login` is what the channel's own login gave."""
        more = {"authorization": login} if login else {}
        return (at or self.near).post("/v1/sessions", {**self.address, **self.customer, **more})

    def reconnect(self):
        assert self.near.post(f"{self.path}/disconnect").status == 200
        return self.near.call("POST", f"{self.path}/connect", check=False)

    def expire_tokens(self):
        assert self.far.post("/v1/sandbox/faults", {"kind": "expireToken"}).status == 201

    def texts(self):
        return [m.get("text") for m in reversed(self.near.get(f"{self.thread}/messages?limit=200")["items"])]

    def agent_says(self, text, **more):
        answer = self.far.post(f"{self.desk}/messages", {"text": text, "agent": AGENT, **more})
        assert answer.status == 201, answer


@pytest.mark.parametrize("authorization", ["anonymous", "secured"])
@pytest.mark.parametrize("channel", CHANNELS)
def test_a_conversation_through_the_wire(near, far, channel, authorization):
    wire = Wire(near, far, channel, authorization, {"firstName": "Eva", "lastName": "Nova"})
    with near.events(f"{wire.path}/events") as events:
        events.wait("ready")
        sent = near.post(f"{wire.thread}/messages", {"text": "Where is my order?"})
        assert sent.status == 201 and sent["status"] == "delivered"
        assert far.get(f"{wire.desk}/messages")["items"][0]["text"] == "Where is my order?"
        wire.agent_says("On its way.")
        until("the answer", lambda: wire.texts() == ["Where is my order?", "On its way."])
        far.post(f"{wire.desk}/typing", {"isTyping": True, "agent": AGENT})
        assert events.wait("typing").data["author"]["name"] == "Marta Novak"
    assert far.post(f"{wire.desk}/read").status == 204
    until("the reading", lambda: near.get(f"{wire.thread}/messages/{sent['id']}")["status"] == "seen")
    assert near.post(f"{wire.thread}/read").status == 204
    until("the agent's own", lambda: far.get(f"{wire.desk}/messages")["items"][0]["status"] == "seen")
    if channel == "contract-live-wire":
        assert near.post(f"{wire.thread}/end")["state"] == "closed"
        assert near.get(wire.path)["state"] == "closed"


@pytest.mark.parametrize("channel", CHANNELS)
def test_what_was_missed_is_there_once(near, far, channel):
    wire = Wire(near, far, channel)
    assert near.post(f"{wire.thread}/messages", {"text": "0"}).status == 201
    assert near.post(f"{wire.path}/disconnect").status == 200
    for index in range(1, 60):
        wire.agent_says(str(index))
    assert near.post(f"{wire.path}/connect")["state"] == "ready"
    until("the missed messages", lambda: wire.texts() == [str(index) for index in range(60)])


def test_files_go_both_ways(near, far):
    wire = Wire(near, far, "contract-multi")
    head = {"Content-Type": "text/plain", "Content-Disposition": 'attachment; filename="a.txt"'}
    mine = near.call("POST", f"{wire.path}/attachments", raw=b"mine", headers=head, check=False)
    assert near.post(f"{wire.thread}/messages", {"attachments": [{"id": mine["id"]}]}).status == 201
    theirs = far.get(f"{wire.desk}/messages")["items"][0]["attachments"]
    assert [file["name"] for file in theirs] == ["a.txt"]
    upload = far.call("POST", "/v1/desk/attachments", raw=b"theirs", headers=head, check=False)
    wire.agent_says("look", attachments=[{"id": upload["id"]}])
    until("the file", lambda: len(wire.texts()) == 2)
    file = near.get(f"{wire.thread}/messages")["items"][0]["attachments"][0]
    assert near.call("GET", f"{wire.path}/attachments/{file['id']}", check=False).body == b"theirs"


def test_what_the_platform_cannot_do_is_refused_by_name(near, far):
    wire = Wire(near, far, "contract-multi")
    message = near.post(f"{wire.thread}/messages", {"text": "one"})["id"]
    for method, path, body in [
        ("POST", f"{wire.thread}/messages/{message}/replies", {"text": "two"}),
        ("PATCH", f"{wire.thread}/messages/{message}", {"text": "two"}),
        ("DELETE", f"{wire.thread}/messages/{message}", None),
        ("POST", f"{wire.thread}/resetHistory", None),
    ]:
        answer = near.call(method, path, body)
        assert (answer.status, answer.code) == (409, "unsupportedCapability"), (method, path, answer)


def test_a_session_survives_a_restart_of_its_gateway(far):
    with Gateway() as near:
        wire = Wire(near, far, "contract-multi", "secured")
        assert near.post(f"{wire.thread}/messages", {"text": "before"}).status == 201
        near.restart()
        until("the session", lambda: near.get(wire.path)["state"] == "ready")
        wire.agent_says("after")
        until("the message", lambda: wire.texts() == ["before", "after"])


def test_the_cursor_of_a_new_session_comes_before_what_connecting_brings(near, far):
    customer = {"id": f"cust-{uuid.uuid4()}"}
    wire = Wire(near, far, "contract-multi", customer=customer)
    assert near.post(f"{wire.thread}/messages", {"text": "before"}).status == 201
    # This gateway knows nothing of the customer.
    with Gateway() as other:
        answer = wire.sign_in(at=other)
        assert answer.status == 201 and answer["state"] == "ready", answer
        assert answer.header("Parley-Cursor") == answer["cursor"]
        with other.events(f"/v1/sessions/{answer['id']}/events?after={answer['cursor']}") as stream:
            assert stream.wait("thread.created").data["thread"]["id"] == wire.id


LOGIN = {"code": "AbC-of-the-wire", "codeVerifier": "v3r1f13r"}


def test_an_anonymous_token_that_expires_is_asked_for_again(near, far):
    wire = Wire(near, far, "contract-multi", "secured")
    wire.expire_tokens()
    assert wire.reconnect()["state"] == "ready"
    assert near.post(f"{wire.thread}/messages", {"text": "still here"}).status == 201


def test_a_login_gives_a_token_that_is_renewed_when_it_expires(near, far):
    wire = Wire(near, far, "contract-multi", "oauth", {"id": "oauth-1", "firstName": "Eva"}, LOGIN)
    assert near.post(f"{wire.thread}/messages", {"text": "one"}).status == 201
    assert wire.reconnect()["state"] == "ready"  # by the access token: the code is used up
    wire.expire_tokens()
    assert wire.reconnect()["state"] == "ready"  # by the renewed one
    assert near.post(f"{wire.thread}/messages", {"text": "two"}).status == 201
    until("both", lambda: wire.texts() == ["one", "two"])
    # The platform says who it is, from the code.
    other = Wire(near, far, "contract-multi", "oauth", {"id": "oauth-2"}, LOGIN)
    until("the same person's threads", lambda: near.get(f"{other.path}/threads/{wire.id}", check=False).status == 200)


def test_without_a_login_such_a_channel_is_not_connected(near, far):
    wire = Wire(near, far, "contract-multi")
    sandbox = far.get("/v1/info")["sandbox"]
    for authorization in ["oauth", "securedOAuth"]:
        channel = next(c["id"] for c in sandbox["channels"] if (c["channel"], c["authorization"]) == ("contract-multi", authorization))
        session = near.post("/v1/sessions", {**wire.address, "channelId": channel})
        assert (session.status, session["state"]) == (201, "prepared")
        answer = near.call("POST", f"/v1/sessions/{session['id']}/connect", check=False)
        assert (answer.status, answer.code) == (422, "missingParameter"), answer


def test_a_secured_login_that_expires_is_asked_for_again(near, far):
    wire = Wire(near, far, "contract-multi", "securedOAuth", {"id": "secured-1"}, LOGIN)
    assert near.post(f"{wire.thread}/messages", {"text": "one"}).status == 201
    assert wire.reconnect()["state"] == "ready"
    wire.expire_tokens()
    refused = wire.reconnect()
    assert refused.status == 502 and near.get(wire.path)["state"] == "connecting", refused
    again = wire.sign_in(LOGIN)
    assert again["state"] == "ready"
    assert near.call("POST", f"{wire.path}/connect", check=False)["state"] == "ready"
    until("the message", lambda: wire.texts() == ["one"])


@pytest.mark.skipif(IS_POSTGRES, reason="it reads the files of the tokens of a data folder")
def test_tokens_are_their_owners_alone_and_are_never_logged(far):
    with Gateway() as near:
        near.put("/v1/log", {"level": "trace", "verbosity": "full"})
        wires = [Wire(near, far, "contract-multi", authorization, {"id": f"log-{authorization}"}, LOGIN if "auth" in authorization.lower() else None)
                 for authorization in ("secured", "oauth", "securedOAuth")]
        for wire in wires:
            assert near.post(f"{wire.thread}/messages", {"text": "a very private text"}).status == 201
        wires[0].expire_tokens()
        assert wires[1].reconnect()["state"] == "ready"
        wires[2].reconnect()
        folder = near.folder / "cxone"
        files = sorted(folder.iterdir())
        assert len(files) == 3 and all(file.stat().st_mode & 0o077 == 0 for file in [folder, *files])
        states = [json.loads(file.read_text()) for file in files]
        tokens = [value["value"] for state in states for name, value in state.items() if name.endswith("Token") and isinstance(value, dict)]
        tokens += [state["refreshToken"] for state in states if "refreshToken" in state]
        assert len(tokens) >= 5
        log = (near.folder.parent / "stderr.log").read_text(errors="replace")
        assert "cxone" in log or "request" in log
        for secret in [*tokens, LOGIN["code"] + '"', LOGIN["codeVerifier"], "a very private text"]:
            assert secret not in log, secret[:8]


def test_what_a_visitor_does_reaches_the_platform(near, far):
    wire = Wire(near, far, "contract-multi")
    visit, page = f"{wire.path}/analytics", {"title": "Cart", "url": "/cart"}
    assert near.post(visit, {"type": "chatWindowOpened"}).code == "missingVisitId"
    for body in [{"type": "pageView", **page}, {"type": "chatWindowOpened"}, {"type": "conversion", "conversionType": "order", "value": 49.9},
                 {"type": "proactiveAction", "outcome": "clicked", "actionId": "a", "actionName": "n", "actionType": "CustomPopupBox"},
                 {"type": "pageViewEnded", **page}]:
        assert near.post(visit, body).status == 204, body
    for body, pointer in [({"type": "pageView"}, "#/title"), ({"type": "purchase"}, "#/type"),
                          ({"type": "conversion", "conversionType": "x", "value": "1"}, "#/value"),
                          ({"type": "chatWindowOpened", "title": "x"}, "#/title")]:
        answer = near.post(visit, body)
        assert answer.status == 422 and pointer in [e["pointer"] for e in answer["errors"]], answer


def test_a_trigger_is_executed_and_shows_what_it_fires(near, far):
    wire = Wire(near, far, "contract-multi")
    with near.events(f"{wire.path}/events") as events:
        events.wait("ready")
        assert near.post(f"{wire.path}/triggers/77778888-9999").status == 204
        event = events.wait("proactive")
        assert event.data["type"] == "customPopupBox" and "77778888-9999" in event.data["customPopupBox"]["text"]
    assert near.post(f"{wire.path}/disconnect").status == 200
    assert near.post(f"{wire.path}/triggers/x").code == "notConnected"


def test_the_embedded_service_has_neither_analytics_nor_triggers(near):
    session = near.post("/v1/sessions", {"channel": "multi"})
    for path, body in [("analytics", {"type": "chatWindowOpened"}), ("triggers/x", None)]:
        answer = near.post(f"/v1/sessions/{session['id']}/{path}", body)
        assert (answer.status, answer.code) == (409, "unsupportedCapability")


def test_a_session_whose_platform_is_down_at_a_restart_comes_back(tmp_path):
    with Gateway(tmp_path / "far") as far, Gateway(tmp_path / "near") as near:
        wire = Wire(near, far, "multi")
        assert near.post(f"{wire.thread}/messages", {"text": "before"}).status == 201
        port = far.port
        far.stop()
        near.restart()
        assert near.get(wire.path)["state"] == "preparing"
        far.start(port)
        until("the session", lambda: near.get(wire.path)["state"] == "ready")
        assert wire.texts() == ["before"]


def test_addresses_that_are_none_are_refused(near):
    for body, pointer in [
        ({"brandId": 1, "channelId": "c"}, "/urls/chat"),
        ({"brandId": 1, "channelId": "c", "urls": {"chat": "file:///x", "socket": "ws://x"}}, "/urls/chat"),
        ({"brandId": 1, "channelId": "a/b", "environment": "NA1"}, "/channelId"),
        ({"brandId": 1, "environment": "NA1"}, "/channelId"),
    ]:
        answer = near.post("/v1/sessions", {"service": "cxone", **body}, check=False)
        assert answer.status == 422 and answer["errors"][0]["pointer"] == "#" + pointer, answer


def has_device(gateway, token):
    uri = f"file:{gateway.folder}/parley.sqlite?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True)) as database:
        found = database.execute("SELECT 1 FROM target WHERE address LIKE ?", [f"%{token}"]).fetchone()
        return found is not None


@pytest.mark.skipif(IS_POSTGRES, reason="it reads the SQLite file of a data folder")
def test_a_device_is_passed_on_to_the_platform(far):
    simulated = "/v1/desk/events?types=push.simulated"
    with Gateway() as near:
        wire = Wire(near, far, "contract-multi")
        customer = near.get(wire.path)["customer"]["id"]
        near.post(f"{wire.thread}/messages", {"text": "Hello"})
        until("the thread at the platform", lambda: far.call("GET", wire.desk).status == 200)
        device = near.call("PUT", f"{wire.path}/device", {"kind": "apns", "token": "0A1B" * 16, "os": "iOS", "osVersion": "18.1"})
        assert device.status == 201 and device["kind"] == "apns" and device["pushedBy"] == "platform"
        assert near.get(f"{wire.path}/device").json == device.json and "0a1b" not in device.text.lower()
        assert near.get(f"{wire.path}/device/deliveries")["items"] == []
        assert near.call("POST", f"{wire.path}/device/test").code == "pushNotConfigured"
        # It survives a restart. While the gateway is away, the platform pushes.
        until("the platform to know the device", lambda: has_device(far, "0a1b" * 16))
        near.kill()
        with far.events(simulated) as stream:
            wire.agent_says("It left today.")
            told = stream.wait("push.simulated", QUIET + 60).data
            assert told["customer"] == customer and told["threadId"] == wire.id and told["channel"] == "contract-multi"
            assert told["payload"]["cxone_data"]["thread_id"] == wire.id
            assert "0a1b" not in json.dumps(told)
        near.start()
        assert near.get(f"{wire.path}/device").json == device.json
        assert near.call("DELETE", f"{wire.path}/device").status == 204
        # The platform is told after the answer; its database shows when it knows.
        until("the platform to forget the device", lambda: not has_device(far, "0a1b" * 16))
        near.kill()
        with far.events(simulated) as stream:
            wire.agent_says("And again.")
            assert not [event for event in stream.quiet(10) if event.data.get("customer") == customer]
