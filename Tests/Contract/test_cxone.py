"""Parley against Parley: one gateway's sandbox is the platform of another one's sessions, over real sockets."""

import pytest
from gateway import Gateway, until

CHANNELS = ["contract-multi", "contract-single", "contract-live-wire"]
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

    def __init__(self, near, far, channel, authorization="anonymous", customer=None):
        self.near, self.far = near, far
        sandbox = far.get("/v1/info")["sandbox"]
        place = next(c for c in sandbox["channels"] if c["channel"] == channel and c.get("authorization", "anonymous") == authorization)
        self.address = {
            "service": "cxone", "brandId": sandbox["brandId"], "channelId": place["id"],
            "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]},
        }
        answer = near.post("/v1/sessions", {**self.address, **({"customer": customer} if customer else {})})
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


def test_addresses_that_are_none_are_refused(near):
    for body, pointer in [
        ({"brandId": 1, "channelId": "c"}, "/urls/chat"),
        ({"brandId": 1, "channelId": "c", "urls": {"chat": "file:///x", "socket": "ws://x"}}, "/urls/chat"),
        ({"brandId": 1, "channelId": "a/b", "environment": "NA1"}, "/channelId"),
        ({"brandId": 1, "environment": "NA1"}, "/channelId"),
    ]:
        answer = near.post("/v1/sessions", {"service": "cxone", **body}, check=False)
        assert answer.status == 422 and answer["errors"][0]["pointer"] == "#" + pointer, answer
