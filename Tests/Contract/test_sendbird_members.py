"""Threads of several members and single threads on the service `sendbird`, whose platform is the sandbox of another gateway."""

import json
import urllib.request
import uuid

import pytest
from chat import Chat
from gateway import Gateway, until
from sendbird_network import Network, texts, write
from test_sendbird_flows import Both


def applications(info, network):
    return [{
        "id": info["applicationId"], "url": network.url, "apiToken": info["apiToken"], "getLimit": 1000, "writeLimit": 1000,
        "channels": [{"id": "support"}, {"id": "single", "mode": "singlethread", "customType": "one"}]}]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A gateway with the sandbox, and two with the service, on one application."""
    network = Network()
    with Gateway(options=network.options) as network.far:
        info = network.far.get("/v1/info")["sendbirdSandbox"]
        file = write(tmp_path_factory.mktemp("members") / "applications.json", applications(info, network))
        with Gateway(options=["--sendbird", file]) as one, Gateway(options=["--sendbird", file]) as two:
            yield network, info, one, two
        network.server.shutdown()


@pytest.fixture
def gw(world):
    network, _, one, _ = world
    return Both(one, network.far)


def call(world, method, path, body):
    """A call of the platform's API, as another program makes it."""
    network, info = world[:2]
    headers = {"Api-Token": info["apiToken"], "Content-Type": "application/json"}
    request = urllib.request.Request(f"{network.url}/v3{path}", json.dumps(body).encode(), headers, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def group(gw, second=None):
    """Customers, and a thread of theirs that all have: their sessions, and the thread's id."""
    people = [Chat(gw, "contract-multi", id=f"cust / {uuid.uuid4()}") for _ in "ab"]
    members = [{"id": each.customer, **more} for each, more in zip(people, ({}, second or {}))]
    made = gw.post("/v1/desk/threads", {"channel": "contract-multi", "members": members})
    assert made.status == 201, made
    for each in people:
        until("the thread", lambda: gw.get(f"{each.path}/threads/{made['id']}", check=False).status == 200)
    return people, made["id"]


def test_who_is_in_a_thread(gw):
    (one, two), thread = group(gw)
    for own, other in ((one, two), (two, one)):
        assert [each["id"] for each in gw.get(f"{own.path}/threads/{thread}")["members"]] == [own.customer, other.customer]
    with two.events() as first, one.events() as second:
        first.wait("ready"), second.wait("ready")
        name = two.customer.replace(" ", "%20").replace("/", "%2F")
        assert gw.delete(f"/v1/desk/threads/{thread}/members/{name}").status == 204
        assert first.wait("thread.removed").data == {"threadId": thread}
        told = second.wait("thread.updated").data
        assert told["changed"] == ["members"] and [each["id"] for each in told["thread"]["members"]] == [one.customer]
    assert gw.get(f"{two.path}/threads/{thread}", check=False).code == "unknownThread"


def test_an_invitation(gw):
    (_, two), thread = group(gw, {"memberState": "invited"})
    path = f"{two.path}/threads/{thread}"
    assert gw.get(path)["memberState"] == "invited"
    assert gw.post(f"{path}/messages", {"text": "Hello"}, check=False).code == "notJoined"
    assert gw.post(f"{path}/read", check=False).code == "notJoined"
    assert "memberState" not in gw.post(f"{path}/join").json
    assert gw.post(f"{path}/messages", {"text": "Hello"}).status == 201
    assert gw.post(f"{path}/leave").status == 204
    assert gw.get(path, check=False).code == "unknownThread"


def test_hidden_until_the_next_message(gw):
    (one, two), thread = group(gw)
    assert gw.post(f"{one.path}/threads/{thread}/hide")["hidden"] is True
    two.say(f"{two.path}/threads/{thread}", "Hello")
    until("the thread to be shown", lambda: "hidden" not in gw.get(f"{one.path}/threads/{thread}").json)


def test_a_reset_changes_the_own_list_and_its_tag(gw):
    (one, two), thread = group(gw)
    one.say(f"{one.path}/threads/{thread}", "Old")
    mine, theirs = f"{one.path}/threads/{thread}", f"{two.path}/threads/{thread}"
    until("the message", lambda: texts(gw, theirs) == ["Old"])
    tag = gw.get(f"{mine}/messages").header("ETag")
    assert gw.get(f"{mine}/messages", headers={"If-None-Match": tag}).status == 304
    key = {"Idempotency-Key": str(uuid.uuid4())}
    assert gw.post(f"{mine}/resetHistory", headers=key).status == 204
    assert gw.post(f"{mine}/resetHistory", headers=key).header("Idempotency-Replayed") == "true"
    after = gw.get(f"{mine}/messages", headers={"If-None-Match": tag})
    assert after.status == 200 and after["items"] == [] and texts(gw, theirs) == ["Old"]


def single(gateway, customer):
    made = gateway.post("/v1/sessions", {"service": "sendbird", "channel": "single", "customer": {"id": customer}}).json
    path = f"/v1/sessions/{made['id']}"
    return path, f"{path}/threads/{gateway.get(f'{path}/threads')['items'][0]['id']}"


def test_a_single_thread_before_its_first_message(world):
    path, thread = single(world[2], "early")
    one = world[2]
    before = len(world[0].calls)
    assert one.get(thread)["state"] == "pending"
    assert one.post(f"{thread}/resetHistory").status == 204
    for name in ("hide", "unhide", "join", "leave", "archive"):
        refused = one.post(f"{thread}/{name}", check=False)
        assert refused.status == 409 and refused.code in ("unsupportedCapability", "unsupportedChannelConfig"), (name, refused)
    assert not any(thread.rpartition("/")[2] in call[1] for call in world[0].calls[before:])
    assert one.post(f"{thread}/messages", {"text": "Hello"}).status == 201
    assert texts(one, thread) == ["Hello"]


def test_a_customer_who_was_removed_from_the_single_thread_can_write_again(world):
    network, _, one, _ = world
    path, thread = single(one, "gone")
    url = thread.rpartition("/")[2]
    one.post(f"{thread}/messages", {"text": "one"})
    call(world, "PUT", f"/group_channels/{url}/leave", {"user_ids": ["gone"]})
    until("the thread to be gone", lambda: one.get(thread, check=False).code == "unknownThread")
    again = one.post(f"{path}/threads", {})
    assert (again.status, again["id"]) == (201, url)
    assert one.post(f"{thread}/messages", {"text": "two"})["status"] == "sent"
    until("all messages", lambda: texts(one, thread) == ["one", "two"])
    assert [each["text"] for each in network.far.get(f"/v1/desk/threads/{url}/messages")["items"]] == ["two", "one"]


def test_the_same_customer_on_two_gateways_has_one_single_thread(world):
    network, _, one, two = world
    (_, here), (_, there) = single(one, "both"), single(two, "both")
    assert here.rpartition("/")[2] == there.rpartition("/")[2]
    assert one.post(f"{here}/messages", {"text": "from one"}).status == 201
    until("the message at the other", lambda: texts(two, there) == ["from one"])
    assert two.post(f"{there}/messages", {"text": "from two"}).status == 201
    for gateway, thread in ((one, here), (two, there)):
        until("both messages", lambda: texts(gateway, thread) == ["from one", "from two"])
    assert sum(call[0] == "POST" and call[1].endswith("/group_channels") for call in network.calls) <= 10
    assert len(network.far.get(f"/v1/desk/threads/{here.rpartition('/')[2]}/messages")["items"]) == 2
