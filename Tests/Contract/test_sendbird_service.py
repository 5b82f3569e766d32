"""Sessions on the service `sendbird`, whose platform is the sandbox of another gateway: two gateways, and HTTP between them."""

import hashlib
import hmac
import json
import os
import subprocess

import pytest
from gateway import Gateway, binary, until
from sendbird_network import Network, session, texts, write


SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sendbird")
    network = Network()
    with Gateway(options=network.options) as network.far:
        far = network.far
        info = far.get("/v1/info")["sendbirdSandbox"]
        file = write(folder / "applications.json", [{
            "id": info["applicationId"], "url": network.url, "apiToken": info["apiToken"], "masterToken": info["apiToken"],
            "webhookSecret": SECRET, "getLimit": 200, "writeLimit": 100,
            "channels": [{"id": "support", "name": "Support"}]}])
        with Gateway(options=["--sendbird", file]) as near:
            yield near, far, network, info
            assert SECRET not in near.whole_log()
            for _, path, headers in network.calls:
                assert headers["Api-Token"] == info["apiToken"] and info["apiToken"] not in path
            assert info["apiToken"] not in near.whole_log()
        network.server.shutdown()


def test_the_service_and_what_it_can_do(world):
    near = world[0]
    service = next(item for item in near.get("/v1/services")["items"] if item["id"] == "sendbird")
    assert "threads" in service["capabilities"] and "replies" in service["capabilities"]
    assert not {"liveChat", "transcript", "richMessages"} & set(service["capabilities"])
    assert near.get("/v1/services/sendbird/channels/support")["mode"] == "multithread"
    assert near.get("/v1/services/sendbird/channels/other").code == "unknownChannel"


def test_what_it_lacks_is_refused_by_name(world):
    near = world[0]
    path = session(near, "lacking")
    thread = f"{path}/threads/{near.post(f'{path}/threads', {})['id']}"
    refused = near.post(f"{thread}/transcript", {"email": "a@example.com"})
    assert refused.code == "unsupportedCapability" and "transcript" in refused["detail"]


def test_a_conversation(world):
    near, far, network, info = world
    path = session(near, "ada")
    made = near.post(f"{path}/threads", {"name": "Order 7"})["id"]
    thread = f"{path}/threads/{made}"
    assert near.post(f"{thread}/messages", {"id": "m1", "text": "Where is it?"}).status == 201
    desk = f"/v1/desk/threads/{made}"
    assert far.get(desk)["lastMessage"]["text"] == "Where is it?" and far.get(desk)["name"] == "Order 7"
    far.post(f"{desk}/messages", {"text": "On its way.", "agent": {"id": "a1", "name": "Jo"}})
    until("the agent's answer", lambda: texts(near, thread) == ["Where is it?", "On its way."])
    until("the unread count", lambda: near.get(thread)["unreadCount"] == 1)
    answer = near.get(f"{thread}/messages?limit=1")["items"][0]
    assert answer["author"]["kind"] == "agent" and answer["author"]["name"] == "Jo"
    near.post(f"{thread}/read")
    assert near.get(thread)["unreadCount"] == 0
    near.patch(f"{thread}/messages/m1", {"text": "Where is it now?"})
    assert [item["text"] for item in far.get(f"{desk}/messages")["items"]][-1] == "Where is it now?"
    reply = near.post(f"{thread}/messages", {"id": "r1", "text": "Which day?", "parentId": answer["id"]})
    assert reply.status == 201, reply
    until("the count of replies", lambda: near.get(f"{thread}/messages/{answer['id']}").json.get("replyInfo", {}).get("count") == 1)
    near.delete(f"{thread}/messages/r1")
    assert "Which day?" not in [item["text"] for item in far.get(f"{desk}/messages?replies=all")["items"]]


def test_a_lost_answer_sends_nothing_twice(world):
    near, far, network, info = world
    path = session(near, "lost")
    made = near.post(f"{path}/threads", {})["id"]
    before = network.count("POST", f"{made}/messages")
    network.lost.append(("POST", f"{made}/messages"))
    sent = near.post(f"{path}/threads/{made}/messages", {"id": "m1", "text": "once"})
    assert sent.status == 201 and sent["status"] == "sent", sent
    assert network.count("POST", f"{made}/messages") == before + 1
    assert [item["text"] for item in far.get(f"/v1/desk/threads/{made}/messages")["items"]] == ["once"]


def test_after_a_restart_all_is_there_again(world):
    near, far, network, info = world
    path = session(near, "again")
    made = near.post(f"{path}/threads", {})["id"]
    near.post(f"{path}/threads/{made}/messages", {"text": "before"})
    near.kill()
    said = far.post(f"/v1/desk/threads/{made}/messages", {"text": "meanwhile", "agent": {"id": "a1", "name": "Jo"}})
    assert said.status == 201, said
    near.start()
    until("what came meanwhile", lambda: texts(near, f"{path}/threads/{made}") == ["before", "meanwhile"])


def test_files_go_both_ways(world):
    near, far, network, info = world
    path = session(near, "files")
    made = near.post(f"{path}/threads", {})["id"]
    picture = bytes(range(256)) * 500 + b"\r\n--parley"
    sent = near.post(f"{path}/attachments", raw=picture, headers={"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="plan.png"'})
    assert near.post(f"{path}/threads/{made}/messages", {"attachments": [{"id": sent["id"]}]}).status == 201
    told = far.get(f"/v1/desk/threads/{made}/messages")["items"][0]
    assert (told["type"], told["attachments"][0]["name"]) == ("file", "plan.png")
    assert far.get(f"/v1/desk/attachments/{told['attachments'][0]['id']}").body == picture
    back = far.post("/v1/desk/attachments", raw=picture[::-1], headers={"Content-Type": "image/jpeg"})
    far.post(f"/v1/desk/threads/{made}/messages", {"attachments": [{"id": back["id"]}], "agent": {"id": "a1", "name": "Jo"}})
    until("the agent's file", lambda: len(near.get(f"{path}/threads/{made}/messages")["items"]) == 2)
    heard = near.get(f"{path}/threads/{made}/messages?limit=1")["items"][0]["attachments"][0]
    got = near.get(f"{path}/attachments/{heard['id']}")
    assert got.body == picture[::-1] and got.kind == "image/jpeg"
    both = near.post(f"{path}/threads/{made}/messages", {"text": "x", "attachments": [{"id": near.post(
        f"{path}/attachments", raw=b"x", headers={"Content-Type": "text/plain"})["id"]}]})
    assert both.code == "invalidParameter"


def test_webhooks_only_make_it_look_sooner(world):
    near, far, network, info = world
    path = session(near, "hooked")
    made = near.post(f"{path}/threads", {})["id"]

    def hook(body, secret=SECRET, signature=None):
        signature = hmac.new(info["apiToken"].encode(), body, hashlib.sha256).hexdigest() if signature is None else signature
        return near.call("POST", f"/hooks/sendbird/{secret}", token=None, raw=body, check=False, headers={
            "Content-Type": "application/json", "x-sendbird-signature": signature}).status

    body = json.dumps({"category": "group_channel:message_send", "app_id": info["applicationId"],
                       "channel": {"channel_url": made}, "payload": {"message_id": 1}}).replace("/", "\\/").encode()
    far.post(f"/v1/desk/threads/{made}/messages", {"text": "Hello", "agent": {"id": "a1", "name": "Jo"}})
    assert [hook(body) for _ in range(3)] == [200] * 3
    until("the message", lambda: texts(near, f"{path}/threads/{made}") == ["Hello"])
    assert hook(body, secret="f" * 32) == 404 and hook(body, signature="0" * 64) == 401 and hook(body, signature="") == 401
    assert hook(b"[" * 5000) == 200 and hook(b"x" * (1 << 20) + b"y") == 413


@pytest.mark.parametrize("content, mode, words", [
    ('{"applications":[{"id":"a","apiToken":"secret1","channels":[{"id":"c"}]}]}', 0o644, "chmod 600"),
    ('{"applications":[{"id":"a","apiToken":"secret1","colour":1,"channels":[{"id":"c"}]}]}', 0o600, "/applications/0"),
    ('{"applications":[{"id":"a","apiToken":"secret1","url":"http://example.com","channels":[{"id":"c"}]}]}', 0o600, "loopback"),
    ("secret1", 0o600, "JSON"), (None, 0, "cannot be read"),
])
def test_a_file_that_is_refused(tmp_path, content, mode, words):
    file = tmp_path / "applications.json"
    if content is not None:
        file.write_text(content)
        os.chmod(file, mode)
    done = subprocess.run(
        [binary(), "--data", str(tmp_path / "data"), "--listen", "127.0.0.1:0", "--sendbird", str(file)],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    assert words in done.stderr and str(file) in done.stderr and "secret1" not in done.stderr


def test_without_the_file_there_is_no_such_service(tmp_path):
    with Gateway() as gateway:
        refused = gateway.post("/v1/sessions", {"service": "sendbird", "channel": "support"})
        assert refused.code == "unknownService" and "--sendbird" in refused["detail"]
