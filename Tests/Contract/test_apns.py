"""Pushes by APNs: the file of --apns, devices of the kind `apns`, and each answer that Apple documents."""

import json
import os
import stat
import subprocess
import time
import uuid

import jwt
import pytest
from apns_service import GOAWAY, SILENCE, TAKEN_AND_GOAWAY, APNsService
from chat import Chat, add_channels
from gateway import DEADLINE, Gateway, binary, until

QUIET = 30  # seconds after a start in which nothing is pushed
TOKEN = "00FC13ADFF785122B4AD28809A3420982341241421348097878E577C991DE8F0"


@pytest.fixture(scope="module")
def apple(tmp_path_factory):
    with APNsService(tmp_path_factory.mktemp("apns")) as service:
        yield service


@pytest.fixture(scope="module")
def pushing(apple):
    with Gateway(options=["--apns", apple.file()]) as gateway:
        yield add_channels(gateway)


@pytest.fixture
def chat(pushing, apple):
    apple.answers.clear()
    return Chat(pushing, "contract-multi", firstName="Ann")


def register(chat, **more):
    # Each chat has a device of its own, or one registration would remove the other.
    return chat.gateway.call("PUT", f"{chat.path}/device", {"kind": "apns", "token": uuid.uuid4().hex, **more})


def push(chat):
    """What comes of a push that goes out now."""
    done = chat.gateway.post(f"{chat.path}/device/test").json
    return done["state"], done["attempts"][-1]


def state(chat):
    return chat.gateway.get(f"{chat.path}/device")["state"]


def test_a_request_is_what_apple_documents(chat, pushing, apple):
    assert pushing.get("/v1/push")["apps"] == [{"kind": "apns", "topic": "com.example.app", "environment": "sandbox"}]
    device = register(chat, token=TOKEN, os="iOS", osVersion="26.1").json
    assert device["kind"] == "apns" and device["topic"] == "com.example.app" and device["state"] == "active"
    assert push(chat)[0] == "delivered"
    request = apple.requests[-1]
    headers = request.headers
    assert headers[":method"] == "POST" and headers[":scheme"] == "https"
    assert headers[":path"] == "/3/device/" + TOKEN.lower()
    assert headers["apns-topic"] == "com.example.app" and headers["apns-push-type"] == "alert"
    assert headers["apns-priority"] == "10" and str(uuid.UUID(headers["apns-id"])) == headers["apns-id"]
    assert 0 < int(headers["apns-expiration"]) - time.time() <= 86_400
    assert 0 < len(headers["apns-collapse-id"]) <= 64
    assert len(request.body) <= 4096 and request.json["aps"]["alert"]["title"] == "Parley"
    scheme, _, token = headers["authorization"].partition(" ")
    assert scheme == "bearer"
    assert jwt.get_unverified_header(token) == {"alg": "ES256", "kid": "ABC123DEFG"}
    claims = jwt.decode(token, apple.key.public_key(), algorithms=["ES256"])
    assert claims["iss"] == "DEF123GHIJ" and type(claims["iat"]) is int and 0 <= time.time() - claims["iat"] < 3600
    assert set(claims) == {"iss", "iat"}


def test_one_connection_and_one_token_serve_all(chat, pushing, apple):
    others = [chat] + [Chat(pushing, "contract-multi") for _ in range(3)]
    for one in others:
        register(one)
        push(one)
    last = apple.requests[-len(others):]
    assert len({one.connection for one in last}) == 1
    assert len({one.headers["authorization"] for one in last}) == 1


def test_a_message_is_pushed_with_what_apps_read(chat, pushing, apple):
    thread, at_desk = chat.open(name="Order")
    register(chat)
    before = len(apple.requests)
    message = pushing.post(f"{at_desk}/messages", {"text": "It left today.", "agent": {"id": "a", "name": "Marta"}})
    until("the push", lambda: len(apple.requests) > before, QUIET + 15)
    request = apple.requests[-1]
    thread_id = thread.rpartition("/")[2]
    assert request.headers["apns-collapse-id"] == message["id"]
    payload = request.json
    assert payload["aps"]["badge"] == 1 and payload["aps"]["thread-id"] == thread_id
    assert payload["cxone_data"] == {"thread_id": thread_id, "type": "thread_message"}
    assert payload["threadId"] == thread_id and payload["messageId"] == message["id"]
    # Apple could read it.
    assert b"It left today." not in request.body and b"Marta" not in request.body
    until("its outcome", lambda: pushing.get(f"{chat.path}/device/deliveries?state=delivered")["items"])
    assert pushing.get(f"{chat.path}/device")["lastDelivery"]["status"] == 200


DEAD = ["BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic", "DuplicateHeaders", "InvalidPushType",
        "MissingDeviceToken", "MissingTopic", "PayloadEmpty"]
HELD = ["InvalidProviderToken", "MissingProviderToken", "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken",
        "BadEnvironmentKeyInToken", "BadCertificate", "BadCertificateEnvironment", "Forbidden"]


@pytest.mark.parametrize(("status", "reason", "device"), [
    (400, "BadDeviceToken", "refused"), (400, "DeviceTokenNotForTopic", "refused"),
    *[(400, reason, "active") for reason in DEAD], (400, "TopicDisallowed", "active"),
    *[(403, reason, "active") for reason in HELD],
    (404, "BadPath", "active"), (405, "MethodNotAllowed", "active"), (413, "PayloadTooLarge", "active"),
    (429, "TooManyRequests", "active"), (429, "TooManyProviderTokenUpdates", "active"), (400, "IdleTimeout", "active"),
    (500, "InternalServerError", "active"), (503, "ServiceUnavailable", "active"), (503, "Shutdown", "active"),
    (418, "NewReason", "active"),
])
def test_each_reason_is_told_and_leaves_the_device_as_it_should(chat, apple, status, reason, device):
    register(chat)
    apple.refuse(status, reason)
    outcome, attempt = push(chat)
    assert outcome == "dead" and attempt["status"] == status and attempt["error"] == reason
    assert state(chat) == device
    assert register(chat).json["state"] == "active"
    assert push(chat)[0] == "delivered"


@pytest.mark.parametrize("reason", ["Unregistered", "ExpiredToken"])
def test_a_device_is_gone_if_it_has_not_registered_since(chat, apple, reason):
    register(chat, token=TOKEN)
    apple.refuse(410, reason, timestamp=int(time.time() * 1000) - 60_000)
    assert push(chat)[0] == "dead" and state(chat) == "active"
    apple.refuse(410, reason, timestamp=int(time.time() * 1000) + 1000)
    assert push(chat)[0] == "dead" and state(chat) == "gone"
    assert register(chat, token=TOKEN).json["state"] == "active"


def test_an_expired_provider_token_is_not_renewed_at_once(chat, pushing, apple):
    # A new one within 20 minutes would be refused as well: the pushes wait, and the log says why.
    register(chat)
    before = len(apple.requests)
    apple.refuse(403, "ExpiredProviderToken")
    assert push(chat)[1]["error"] == "ExpiredProviderToken" and len(apple.requests) == before + 1
    assert push(chat)[0] == "delivered"


def test_a_wrong_key_holds_the_app_and_is_said_once(chat, pushing, apple):
    _, at_desk = chat.open(name="Held")
    register(chat)
    before = len(pushing.whole_log())
    apple.answers += [(403, {"reason": "InvalidProviderToken"})] * 2
    assert push(chat)[0] == push(chat)[0] == "dead"
    until("the notice", lambda: "InvalidProviderToken" in pushing.whole_log()[before:])
    said = pushing.whole_log()[before:]
    assert said.count("InvalidProviderToken") == 1 and "com.example.app" in said and "--apns" in said
    before = len(apple.requests)
    pushing.post(f"{at_desk}/messages", {"text": "Hello?"})
    until("the push", lambda: pushing.get(f"{chat.path}/device/deliveries?state=pending")["items"])
    time.sleep(6)
    assert len(apple.requests) == before, "it waits without a try"
    assert pushing.call("GET", "/readyz").status == 200
    assert push(chat)[0] == "delivered"
    until("what waited", lambda: pushing.get(f"{chat.path}/device/deliveries?state=delivered")["items"], QUIET + 15)
    pushing.wait_for_log("go out again")


def test_a_connection_that_is_wound_up_or_unavailable_is_replaced(chat, apple):
    register(chat)
    push(chat)
    first = apple.requests[-1].connection
    apple.answers.append(TAKEN_AND_GOAWAY)
    assert push(chat)[0] == "delivered"
    assert push(chat)[0] == "delivered"
    second = apple.requests[-1].connection
    assert second > first
    apple.refuse(503, "Shutdown")
    push(chat)
    assert push(chat)[0] == "delivered"
    third = apple.requests[-1].connection
    assert third > second
    # Not even looked at: it goes out again at once, on another connection.
    apple.answers.append(GOAWAY)
    assert push(chat)[0] == "delivered" and apple.requests[-1].connection > third
    assert state(chat) == "active"


def test_a_service_that_keeps_silent_is_left_in_time(chat, apple):
    register(chat)
    apple.answers.append(SILENCE)
    began = time.monotonic()
    assert push(chat)[1]["error"] == "timeout"
    assert 14 < time.monotonic() - began < 25
    assert push(chat)[0] == "delivered"


@pytest.mark.parametrize(("how", "error"), [
    ({"protocol": "http/1.1"}, "notHTTP2"), ({"host": "other.example"}, "certificateOfAnotherHost"), ({"ca": None}, "untrustedCertificate"),
])
def test_who_is_not_apns_is_told_by_name(tmp_path, how, error):
    known = "ca" not in how
    with APNsService(tmp_path, **{name: value for name, value in how.items() if value}) as service:
        entry = service.entry()
        if not known:
            del entry["ca"]
        with Gateway(options=["--apns", service.file(entry)]) as gateway:
            chat = Chat(add_channels(gateway), "contract-multi")
            register(chat)
            outcome, attempt = push(chat)
            assert outcome == "dead" and attempt["error"] == error
            if error != "notHTTP2":
                assert not service.requests, "nothing was sent"
            assert state(chat) == "active"


@pytest.mark.parametrize(("change", "code", "pointer"), [
    ({"token": "xyz0"}, "invalidSubscription", "#/token"), ({"token": "abc"}, "invalidSubscription", "#/token"),
    ({"topic": "com.example.other"}, "pushNotConfigured", "#/topic"),
])
def test_a_registration_is_checked(chat, change, code, pointer):
    answer = register(chat, **change)
    assert answer.code == code and answer.json["errors"][0]["pointer"] == pointer


def test_nothing_secret_is_said(chat, pushing, apple):
    shown = register(chat, token=TOKEN).text
    apple.refuse(500, "InternalServerError")
    push(chat)
    bearer = apple.requests[-1].headers["authorization"].split()[1]
    for text in (shown, pushing.get(f"{chat.path}/device/deliveries").text, pushing.whole_log()):
        assert TOKEN.lower() not in text.lower() and bearer not in text


def test_a_refused_device_is_tried_again_with_another_configuration(tmp_path):
    with APNsService(tmp_path) as service:
        gateway = Gateway(options=["--apns", service.file()])
        with gateway:
            chat = Chat(add_channels(gateway), "contract-multi")
            register(chat)
            service.refuse(400, "DeviceTokenNotForTopic")
            push(chat)
            assert state(chat) == "refused"
            gateway.restart()
            assert state(chat) == "refused"
            service.file(service.entry(**{"key id": "ZZZ123DEFG"}))
            gateway.restart()
            # The gateway answers before the devices are looked at.
            until("the device to be active", lambda: state(chat) == "active")


def serve(file, folder, **environment):
    """What `parley serve` says of a file that it cannot use."""
    done = subprocess.run(
        [binary(), "serve", "--listen", "127.0.0.1:0", "--data", str(folder / "data"), *(["--apns", file] if file else [])],
        capture_output=True, text=True, timeout=DEADLINE, env={**os.environ, **environment})
    assert done.returncode != 0
    return done.stderr + done.stdout


@pytest.mark.parametrize(("change", "member"), [
    ({"team": "short"}, "/0/team"), ({"key": "missing.p8"}, "/0/key"), ({"ca": "missing.pem"}, "/0/ca"),
    ({"environment": "test"}, "/0/environment"), ({"url": "http://localhost"}, "/0/url"), ({"more": 1}, "/0/more"),
])
def test_a_file_that_cannot_be_used_is_refused_by_name(tmp_path, apple, change, member):
    with APNsService(tmp_path) as service:
        file = service.file({**service.entry(), **change})
        said = serve(file, tmp_path)
        assert file in said and member in said, said
        assert "PRIVATE KEY" not in said


def test_a_key_must_be_its_owners_alone(tmp_path):
    with APNsService(tmp_path) as service:
        file = service.file()
        key = tmp_path / "AuthKey.p8"
        key.chmod(0o640)
        said = serve(file, tmp_path)
        assert "/0/key" in said and str(key) in said and "0600" in said
        assert stat.S_IMODE(key.stat().st_mode) == 0o640
        key.chmod(0o600)
        key.write_text("no key")
        # The environment names the file as the flag does.
        assert "/0/key" in serve(None, tmp_path, PARLEY_APNS=file)


def test_the_file_is_json(tmp_path):
    file = tmp_path / "apps.json"
    file.write_text("{")
    assert str(file) in serve(str(file), tmp_path)
    file.write_text(json.dumps({}))
    assert "array" in serve(str(file), tmp_path)
    assert "cannot be read" in serve(str(tmp_path / "none.json"), tmp_path)
