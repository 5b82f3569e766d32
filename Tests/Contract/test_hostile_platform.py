"""What a platform must never send: it is logged by its kind, answered as the protocol says, and harms no other session."""

import json

import pytest
from gateway import Gateway, until
from hostile_platform import HostilePlatform, frame

PUSH = {"eventId": "p", "eventObject": "Message", "eventType": "MessageCreated", "createdAt": "2026-03-02T09:15:05+00:00"}


@pytest.fixture(scope="module")
def near():
    with Gateway() as gateway:
        yield gateway


@pytest.fixture(scope="module")
def bystander(near):
    """A session of the same gateway on a platform that behaves."""
    with HostilePlatform() as platform:
        session = near.post("/v1/sessions", {**platform.address, "customer": {"id": "bystander"}})
        assert session["state"] == "ready", session
        yield platform, session


@pytest.fixture
def hostile(near):
    with HostilePlatform() as platform:
        session = near.post("/v1/sessions", {**platform.address, "customer": {"id": "eva"}})
        assert session["state"] == "ready", session
        yield platform, f"/v1/sessions/{session['id']}"
        near.delete(f"/v1/sessions/{session['id']}")


def is_unharmed(near, bystander):
    platform, session = bystander
    path = f"/v1/sessions/{session['id']}"
    assert len(platform.sockets) == 1 and near.get(path)["state"] == "ready"
    assert near.post(f"{path}/threads", {}).status == 201


@pytest.mark.parametrize("text, kind", [
    (b"", "notJSON"), (b"secret", "notJSON"), (b'{"eventId":"x"', "notJSON"), (b"[" * 100_000, "notJSON"), (b'{"a":"\x00"}', "notJSON"),
    (b"[]", "no known kind"), (json.dumps({**PUSH, "data": {}}).encode(), "missing"), (json.dumps({**PUSH, "data": "secret"}).encode(), "frame"),
    (b'{"eventType":["secret"]}', ""), (b"{}", ""), (b"null", ""),
])
def test_a_frame_that_cannot_be_read_is_passed_over(near, bystander, hostile, text, kind):
    platform, path = hostile
    before = near.count_in_log("was ignored")
    platform.say(frame(text))
    line = near.wait_for_log("was ignored", before + 1)
    assert kind in line and "secret" not in line
    # The same socket goes on.
    assert near.get(path)["state"] == "ready" and len(platform.sockets) == 1
    assert near.post(f"{path}/threads", {}).status == 201
    is_unharmed(near, bystander)


@pytest.mark.parametrize("text", [
    b'{"eventId":1e999}', b'{"eventId":"e","error":"x"}', b'{"eventId":"e","error":{"errorCode":[]}}', b'{"eventId":"e","postback":{}}',
    b'{"message":"m","connectionId":"c","requestId":"r"}', b'"pong"' * 2, json.dumps({**PUSH, "eventType": "EventInS3", "data": {
        "s3Object": {"url": "file:///etc/passwd"}}}).encode(),
])
def test_what_is_odd_and_can_be_read_harms_nobody(near, bystander, hostile, text):
    platform, path = hostile
    platform.say(frame(text))
    assert near.post(f"{path}/threads", {}).status == 201
    assert near.call("PUT", f"{path}/customer/customFields", {"customFields": {"a": "b"}}).status == 200
    assert near.get(path)["state"] == "ready" and len(platform.sockets) == 1
    is_unharmed(near, bystander)


@pytest.mark.parametrize("name, data, code", [
    ("masked", frame(b"{}", masked=True), 1002), ("reserved bit", frame(b"{}", rsv=4), 1002), ("opcode", frame(b"{}", 3), 1002),
    ("binary", frame(b"{}", 2), 1003), ("bad UTF-8", frame(b"\xff\xfe"), 1007), ("torn surrogate", frame(b'"\xed\xa0\x80"'), 1007),
    ("too large", frame(b"", length=(1 << 20) + 1), 1009), ("absurdly large", frame(b"", length=1 << 62), 1009),
    ("a fragment of nothing", frame(b"{}", 0), 1002), ("a text in a text", frame(b"{", fin=False) + frame(b"}"), 1002),
    ("too large in pieces", frame(b"x" * (1 << 19), fin=False) + frame(b"x" * (1 << 19), 0, fin=False) + frame(b"x", 0), 1009),
    ("a long ping", frame(b"x" * 126, 9), 1002),
])
def test_who_breaks_the_protocol_is_told_how_and_left(near, bystander, hostile, name, data, code):
    platform, path = hostile
    before = near.count_in_log("broke the WebSocket protocol")
    platform.say(data)
    with platform.changed:
        assert platform.changed.wait_for(lambda: platform.codes, 10), "no close frame came"
    assert platform.codes == [code]
    # The close frame may be out before the line is.
    near.wait_for_log("broke the WebSocket protocol", before + 1)
    assert near.count_in_log("broke the WebSocket protocol") == before + 1
    # It is a lost connection like any other: the session comes back.
    until("another socket", lambda: len(platform.sockets) == 2 and near.get(path)["state"] == "ready")
    is_unharmed(near, bystander)


def test_a_frame_that_is_cut_off_is_a_lost_connection(near, bystander, hostile):
    platform, path = hostile
    platform.say(frame(b'{"eventId":"x"}')[:-4])
    platform.sockets[-1].shutdown(2)
    until("another socket", lambda: len(platform.sockets) == 2 and near.get(path)["state"] == "ready")
    is_unharmed(near, bystander)
