"""Web Push at the HTTP API: registration, and what goes to the push service, judged by other implementations."""

import base64
import concurrent.futures
import json
import time

import pytest
from chat import Chat, add_channels
from gateway import Gateway, until
from push_receiver import PushReceiver
from py_vapid import Vapid02

QUIET = 30  # seconds after a start in which nothing is pushed


@pytest.fixture(scope="module")
def receiver():
    with PushReceiver() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def pushing(receiver):
    with Gateway(options=["--push-allow-host", receiver.host, "--push-contact", "mailto:tests@example.com"]) as gateway:
        yield add_channels(gateway)


@pytest.fixture
def chat(pushing):
    return Chat(pushing, "contract-multi", firstName="Ann")


def register(chat, receiver, **more):
    body = {"kind": "webPush", "subscription": receiver.subscription(), "page": "http://localhost:8787/", **more}
    return chat.gateway.put(f"{chat.path}/device", body)


def test_a_push_is_encrypted_and_signed_as_others_expect(chat, pushing, receiver):
    assert register(chat, receiver).status == 201
    done = pushing.post(f"{chat.path}/device/test").json
    assert done["state"] == "delivered" and [one["status"] for one in done["attempts"]] == [201]
    headers, body = receiver.pushes[-1]
    assert len(body) <= 4096
    message = json.loads(receiver.read(body))
    assert message["web_push"] == 8030 and message["notification"]["title"] == "Parley"
    assert message["notification"]["navigate"].startswith("http://localhost:8787/")
    assert headers["content-encoding"] == "aes128gcm" and headers["ttl"] == "86400" and headers["urgency"] == "high"
    assert len(headers["topic"]) == 32 and headers["topic"].isalnum()
    token, _, key = headers["authorization"].removeprefix("vapid t=").partition(", k=")
    assert key == pushing.get("/v1/push")["applicationServerKey"]
    # py-vapid takes no space after the comma, which RFC 9110 allows and RFC 8292 shows.
    assert Vapid02.verify(headers["authorization"].replace(", ", ","))
    claims = json.loads(base64.urlsafe_b64decode(token.split(".")[1] + "=="))
    assert claims["aud"] == receiver.origin and claims["sub"] == "mailto:tests@example.com"
    assert 0 < claims["exp"] - time.time() <= 24 * 3600


def test_two_pushes_share_nothing(chat, pushing, receiver):
    register(chat, receiver)
    for _ in range(2):
        pushing.post(f"{chat.path}/device/test")
    (_, one), (_, other) = receiver.pushes[-2:]
    assert one[:16] != other[:16] and one[21:86] != other[21:86]


def test_of_several_that_must_be_the_first_one_registers(chat, pushing, receiver):
    body = {"kind": "webPush", "subscription": receiver.subscription()}
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        once = lambda _: pushing.call("PUT", f"{chat.path}/device", body, headers={"If-None-Match": "*"})
        answers = list(pool.map(once, range(8)))
    assert sorted(answer.status for answer in answers) == [201] + 7 * [412]
    assert {answer.code for answer in answers if answer.status == 412} == {"preconditionFailed"}
    assert pushing.call("PUT", f"{chat.path}/device", body).status == 200


def test_a_message_is_pushed_once_and_a_dead_subscription_ends(chat, pushing, receiver):
    thread, at_desk = chat.open(name="Order")
    register(chat, receiver)
    before = len(receiver.pushes)
    message = pushing.post(f"{at_desk}/messages", {"text": "It left today.", "agent": {"id": "a", "name": "Marta"}})
    waiting = until("a push", lambda: pushing.get(f"{chat.path}/device/deliveries")["items"])
    assert [one["state"] for one in waiting] == ["pending"]
    until("the push", lambda: len(receiver.pushes) > before, QUIET + 15)
    notification = json.loads(receiver.read(receiver.pushes[-1][1]))["notification"]
    assert notification["title"] == "Marta" and notification["body"] == "It left today."
    assert notification["data"]["messageId"] == message["id"] and message["id"] in notification["navigate"]
    until("its outcome", lambda: pushing.get(f"{chat.path}/device/deliveries?state=delivered")["items"])
    assert pushing.get(f"{chat.path}/device")["lastDelivery"]["status"] == 201
    receiver.answers.append((410, {}))
    pushing.post(f"{at_desk}/messages", {"text": "And again.", "agent": {"id": "a", "name": "Marta"}})
    until("the end of the subscription", lambda: pushing.get(f"{chat.path}/device")["state"] == "gone")
    assert register(chat, receiver).json["state"] == "active"


def test_nothing_secret_is_said(chat, pushing, receiver):
    register(chat, receiver)
    keys = receiver.subscription()["keys"]
    receiver.answers.append((500, {}))
    failed = pushing.post(f"{chat.path}/device/test")
    assert failed["state"] == "dead"
    for text in (pushing.get(f"{chat.path}/device").text, failed.text, pushing.log()):
        for secret in ("secret-path", keys["auth"], keys["p256dh"]):
            assert secret not in text


@pytest.mark.parametrize(("change", "status", "code", "pointer"), [
    ({"endpoint": "https://127.0.0.1/x"}, 422, "targetNotAllowed", "#/subscription/endpoint"),
    ({"endpoint": "https://[::ffff:10.0.0.1]/x"}, 422, "targetNotAllowed", "#/subscription/endpoint"),
    ({"endpoint": "http://push.example.net/x"}, 422, "targetNotAllowed", "#/subscription/endpoint"),
    ({"endpoint": "ftp://push.example.net/x"}, 422, "invalidSubscription", "#/subscription/endpoint"),
    ({"keys": {"p256dh": "AAAA", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}, 422, "invalidSubscription", "#/subscription/keys/p256dh"),
    ({"keys": {}}, 422, "invalidSubscription", "#/subscription/keys/p256dh"),
])
def test_a_subscription_is_checked(chat, receiver, change, status, code, pointer):
    answer = chat.gateway.call(
        "PUT", f"{chat.path}/device", {"kind": "webPush", "subscription": {**receiver.subscription(), **change}})
    assert answer.status == status and answer.code == code
    assert answer.json["errors"][0]["pointer"] == pointer


def test_other_kinds_and_no_device(chat, pushing):
    assert pushing.call("PUT", f"{chat.path}/device", {"kind": "apns", "token": "ab"}).code == "pushNotConfigured"
    for method, path in (("GET", ""), ("POST", "/test"), ("GET", "/deliveries")):
        assert pushing.call(method, f"{chat.path}/device{path}").code == "unknownDevice"
    assert pushing.call("DELETE", f"{chat.path}/device").status == 204


def test_the_key_stays_and_so_does_the_device(receiver):
    with Gateway(options=["--push-allow-host", receiver.host]) as gateway:
        chat = Chat(add_channels(gateway), "contract-multi")
        device = register(chat, receiver).json
        key = gateway.get("/v1/push").json
        gateway.kill()
        gateway.start()
        assert gateway.get("/v1/push").json == key
        assert gateway.get(f"{chat.path}/device").json == device
        gateway.call("DELETE", chat.path)
        assert gateway.call("GET", f"{chat.path}/device").code == "unknownSession"
