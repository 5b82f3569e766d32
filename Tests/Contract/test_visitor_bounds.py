"""How much customers who come by themselves may do, and what a channel says of it."""

import contextlib
import http.client
import json

import pytest
from chat import Chat
from customers import identity_token
from gateway import Gateway, until
from push_receiver import PushReceiver

BYTES = {"Content-Type": "application/octet-stream"}


@pytest.fixture(scope="module")
def behind():
    """A gateway behind a proxy that names the customers' addresses."""
    with Gateway(options=["--trust-proxy", "--proxy-hops", "1"]) as gateway:
        yield gateway


class Visitor:
    count = 0

    def __init__(self, gw, channel, address="198.51.100.1", **more):
        self.gw, self.address = gw, {"X-Forwarded-For": address}
        made = gw.call("POST", "/v1/visitors", {"channel": channel, **more}, token=None, headers=self.address)
        self.id, self.token, self.path = made["session"], made["token"], f"/v1/sessions/{made['session']}"

    def ask(self, method, path="", body=None, headers=None, **more):
        return self.gw.call(method, self.path + path, body, token=self.token, headers={**self.address, **(headers or {})}, check=False, **more)

    def thread(self):
        return "/threads/" + self.ask("POST", "/threads", {})["id"]

    @contextlib.contextmanager
    def stream(self, path="/events"):
        """The status of a stream that is open as long as the block runs."""
        connection = http.client.HTTPConnection("127.0.0.1", self.gw.port)
        connection.request("GET", self.path + path, headers={"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream", **self.address})
        answer = connection.getresponse()
        try:
            yield answer
        finally:
            answer.close()
            connection.close()


def channel(gw, limits=None, **visitors):
    Visitor.count += 1
    name = f"bounds-{Visitor.count}"
    gw.post("/v1/desk/channels", {"id": name, "mode": "multithread", "visitors": {"public": True, **visitors, **({"limits": limits} if limits else {})}})
    return name


# -- what a channel says


def test_a_channel_says_what_is_not_as_usual(gw):
    name = channel(gw, {"messagesPerMinute": 200, "openThreads": 1})
    shown = gw.get(f"/v1/desk/channels/{name}")["visitors"]
    assert shown["limits"] == {"messagesPerMinute": 200, "openThreads": 1} and shown["retentionDays"] == 0 and shown["selfErase"] is False
    gw.patch(f"/v1/desk/channels/{name}", {"visitors": {"public": True, "retentionDays": 3650}})
    shown = gw.get(f"/v1/desk/channels/{name}")["visitors"]
    assert "limits" not in shown and shown["retentionDays"] == 3650


@pytest.mark.parametrize("member, value", [
    ("messagesPerMinute", 201), ("messagesPerMinute", 0), ("messagesPerHour", 2001), ("addressMessagesPerMinute", 601), ("messageBytes", 65537),
    ("uploadsPerHour", 201), ("uploadBytesPerDay", 1_000_000_001), ("openThreads", 51), ("streams", 41), ("addressStreams", 501), ("collections", 31),
    ("addressBeginsPerMinute", 61), ("addressBeginsPerHour", 301), ("channelBeginsPerHour", 6001), ("openThreads", "5"), ("openThreads", 2.5), ("messages", 5),
])
def test_a_limit_that_is_too_great_is_refused_by_its_name(gw, member, value):
    answer = gw.post("/v1/desk/channels", {"id": "never", "mode": "multithread", "visitors": {"limits": {member: value}}}, check=False)
    assert answer.status == 422 and [one["pointer"] for one in answer["errors"]] == [f"#/visitors/limits/{member}"], answer
    assert gw.post("/v1/desk/channels", {"id": "never", "mode": "multithread", "visitors": {"retentionDays": 3651}}, check=False)["errors"][0]["pointer"] == "#/visitors/retentionDays"


# -- messages


def test_a_visitor_writes_twenty_messages_a_minute(behind):
    visitor = Visitor(behind, channel(behind), "198.51.100.10")
    thread = visitor.thread()
    assert [visitor.ask("POST", f"{thread}/messages", {"text": "Hello"}).status for _ in range(20)] == [201] * 20
    refused = visitor.ask("POST", f"{thread}/messages", {"text": "Hello"})
    assert (refused.status, refused.code) == (429, "tooManyWrites") and 0 < int(refused.header("Retry-After")) <= 3
    assert "20 messages a minute" in refused["detail"]


def test_a_channel_lowers_and_raises_what_a_visitor_writes(behind):
    for limits, most in (({"messagesPerMinute": 2}, 2), ({"messagesPerHour": 3}, 3), ({"messagesPerMinute": 25}, 25)):
        visitor = Visitor(behind, channel(behind, limits), f"198.51.101.{most}")
        thread = visitor.thread()
        answers = [visitor.ask("POST", f"{thread}/messages", {"text": "Hello"}).status for _ in range(most + 1)]
        assert answers == [201] * most + [429], limits


def test_the_visitors_at_one_address_share_what_they_write(behind):
    name = channel(behind, {"addressMessagesPerMinute": 5})
    one, two, elsewhere = Visitor(behind, name, "198.51.100.20"), Visitor(behind, name, "198.51.100.20"), Visitor(behind, name, "198.51.100.21")
    send = lambda visitor, thread: visitor.ask("POST", f"{thread}/messages", {"text": "Hello"})
    threads = {each: each.thread() for each in (one, two, elsewhere)}
    assert [send(one, threads[one]).status for _ in range(4)] == [201] * 4
    assert [send(two, threads[two]).status for _ in range(2)] == [201, 429]
    assert "at one address" in send(two, threads[two])["detail"]
    assert send(elsewhere, threads[elsewhere]).status == 201


def test_a_visitor_s_message_has_sixteen_kibibytes(behind):
    visitor = Visitor(behind, channel(behind), "198.51.100.30")
    thread = visitor.thread()
    sent = visitor.ask("POST", f"{thread}/messages", {"text": "ä" * (8 << 10)})
    assert sent.status == 201
    longer = {"text": "ä" * (8 << 10) + "a"}
    for method, path in (("POST", f"{thread}/messages"), ("PATCH", f"{thread}/messages/{sent['id']}"), ("POST", f"{thread}/messages/{sent['id']}/replies")):
        answer = visitor.ask(method, path, longer)
        assert (answer.status, answer.code, answer["errors"][0]["pointer"]) == (422, "textTooLong", "#/text"), path
    assert behind.post(f"{visitor.path}{thread}/messages", longer).status == 201, "who runs the gateway may"


# -- files


def test_what_a_visitor_uploads_is_bounded_by_number_and_by_bytes(behind):
    visitor = Visitor(behind, channel(behind, {"uploadsPerHour": 2}), "198.51.100.40")
    upload = lambda visitor, data: visitor.ask("POST", "/attachments", raw=data, headers=BYTES)
    assert [upload(visitor, b"x").status for _ in range(3)] == [201, 201, 429]
    visitor = Visitor(behind, channel(behind, {"uploadBytesPerDay": 100_000}), "198.51.100.41")
    assert upload(visitor, b"x" * 60_000).status == 201
    refused = upload(visitor, b"x" * 60_000)
    assert (refused.status, refused.code) == (429, "tooManyWrites") and "100000 bytes a day" in refused["detail"]
    assert upload(visitor, b"x" * 30_000).status == 201, "what was refused does not count"
    assert upload(visitor, b"x" * 200_000).status == 429


# -- threads, collections, streams


def test_a_visitor_has_five_open_threads(behind):
    visitor = Visitor(behind, channel(behind), "198.51.100.50")
    # Not with the token of the session: that makes only five at once anyway.
    for _ in range(5):
        behind.post(f"{visitor.path}/threads", {})
    refused = visitor.ask("POST", "/threads", {})
    assert (refused.status, refused.code) == (409, "tooManyThreads")
    assert behind.post(f"{visitor.path}/threads", {}).status == 201, "who runs the gateway may"
    other = Visitor(behind, channel(behind, {"openThreads": 1}), "198.51.100.51")
    thread = other.thread()
    assert other.ask("POST", "/threads", {}).code == "tooManyThreads"
    other.ask("POST", f"{thread}/archive")
    assert other.ask("POST", "/threads", {}).status == 201


def test_a_visitor_has_three_collections(behind):
    visitor = Visitor(behind, channel(behind), "198.51.100.60")
    assert [visitor.ask("POST", "/collections", {"kind": "threads"}).status for _ in range(3)] == [201] * 3
    refused = visitor.ask("POST", "/collections", {"kind": "threads"})
    assert (refused.status, refused.code) == (409, "tooManyCollections")
    assert behind.post(f"{visitor.path}/collections", {"kind": "threads"}).status == 201


def test_a_visitor_has_four_streams(behind):
    visitor = Visitor(behind, channel(behind), "198.51.100.70")
    collection = visitor.ask("POST", "/collections", {"kind": "threads"})["id"]
    with contextlib.ExitStack() as open_streams:
        paths = ["/events", "/events", "/events", f"/collections/{collection}/events"]
        assert [open_streams.enter_context(visitor.stream(path)).status for path in paths] == [200] * 4
        for path in paths[2:]:
            with visitor.stream(path) as refused:
                assert refused.status == 503 and json.loads(refused.read())["code"] == "tooManyStreams"
        # A page of events is no stream.
        assert visitor.ask("GET", "/events?limit=1", headers={"Accept": "application/json"}).status == 200


    def is_free():
        with visitor.stream() as answer:
            return answer.status == 200

    until("the place of a stream that is gone", is_free)


def test_the_visitors_at_one_address_share_streams(behind):
    name = channel(behind, {"addressStreams": 2})
    one, two, elsewhere = Visitor(behind, name, "198.51.100.80"), Visitor(behind, name, "198.51.100.80"), Visitor(behind, name, "198.51.100.81")
    with one.stream() as first, two.stream() as second, two.stream() as third, elsewhere.stream() as fourth:
        assert [each.status for each in (first, second, third, fourth)] == [200, 200, 503, 200]


def test_a_session_of_a_link_is_bounded_as_any_other(behind):
    chat = Chat(behind, channel(behind, {"openThreads": 1, "collections": 1, "messageBytes": 1}))
    code = behind.post(f"{chat.path}/links", {})["url"].rpartition("/")[2]
    made = behind.call("POST", f"/auth/links/{code}", {}, token=None)
    path = f"/v1/sessions/{made['session']}"
    for _ in range(2):
        assert behind.post(f"{path}/threads", {}, token=made["token"]).status == 201
        assert behind.post(f"{path}/collections", {"kind": "threads"}, token=made["token"]).status == 201


# -- how many begin


def test_a_channel_says_how_many_begin_from_one_address(behind):
    name = channel(behind, {"addressBeginsPerMinute": 2})
    ask = lambda: behind.call("POST", "/v1/visitors", {"channel": name}, token=None, headers={"X-Forwarded-For": "198.51.100.90"}, check=False)
    assert [ask().status for _ in range(3)] == [201, 201, 429]


def test_many_on_one_channel_have_to_work(behind):
    name = channel(behind, {"channelBeginsPerHour": 2, "addressBeginsPerMinute": 60})
    ask = lambda: behind.call("POST", "/v1/visitors", {"channel": name}, token=None, headers={"X-Forwarded-For": "198.51.100.91"}, check=False)
    assert [ask().code for _ in range(3)] == [None, None, "proofRequired"]


# -- what a visitor may not do at all


def test_a_visitor_runs_no_trigger_and_gives_no_assistant_its_session(gw):
    visitor = Visitor(gw, channel(gw))
    assert visitor.ask("POST", "/triggers/x", {}).code == "notAllowed"
    assert gw.call("POST", "/mcp/customer", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, token=visitor.token, check=False).code == "notAllowed"


def test_a_transcript_goes_to_the_address_of_a_jwt_alone(gw):
    name = channel(gw, identity="optional")
    secret = gw.post(f"/v1/desk/channels/{name}/identitySecrets")["secret"]
    stranger = Visitor(gw, name)
    thread = stranger.thread()
    assert stranger.ask("POST", f"{thread}/transcript", {"email": "ann@shop.example"}).code == "notAllowed"
    known = Visitor(gw, name, identity=identity_token(secret, sub="1", email="ann@shop.example"))
    thread = known.thread()
    assert known.ask("POST", f"{thread}/transcript", {"email": "eve@shop.example"}).code == "notAllowed"
    # The embedded service sends no e-mail: so far, and no further.
    assert known.ask("POST", f"{thread}/transcript", {"email": "Ann@shop.example"}).code == "unsupportedCapability"


ENDPOINTS = [
    ("https://fcm.googleapis.com/fcm/send/x", 201), ("https://updates.push.services.mozilla.com/wpush/v2/x", 201), ("https://db5p.notify.windows.com/w/?token=x", 201),
    ("https://fcm.googleapis.com.evil.example/x", 422), ("https://notify.windows.com/x", 422), ("https://evilnotify.windows.com/x", 422),
    ("https://push.invalid/x", 422), ("https://fcm.googleapis.com:8443/x", 422), ("https://192.0.2.1/x", 422),
]


@pytest.mark.parametrize("endpoint, status", ENDPOINTS)
def test_a_visitor_s_browser_has_a_push_service_that_is_known(gw, endpoint, status):
    visitor = Visitor(gw, channel(gw))
    with PushReceiver() as receiver:
        subscription = {**receiver.subscription(), "endpoint": endpoint}
    answer = visitor.ask("PUT", "/device", {"kind": "webPush", "subscription": subscription})
    assert answer.status == status, answer
    if status == 422:
        assert (answer.code, answer["errors"][0]["pointer"]) == ("targetNotAllowed", "#/subscription/endpoint")
    else:
        visitor.ask("DELETE", "/device")


def test_whoever_runs_the_gateway_names_further_push_services():
    with PushReceiver() as receiver, Gateway(options=["--push-allow-host", "push.invalid"]) as gw:
        visitor = Visitor(gw, channel(gw))
        subscription = {**receiver.subscription(), "endpoint": "https://push.invalid/x"}
        assert visitor.ask("PUT", "/device", {"kind": "webPush", "subscription": subscription}).status == 201
