"""Pushes by FCM: the file of --fcm, devices of the kind `fcm`, and each answer that Google documents."""

import calendar
import json
import time
import uuid

import jwt
import pytest
import trustme
from chat import Chat, add_channels
from fcm_service import EMAIL, FCMService
from gateway import Gateway, until
from test_apns import QUIET, push, serve, state

TOKEN = "fMEP0vJqS0:APA91bHPRgkF3JUikC4ENAHEeMrd41Zxv3hVZjC9KtT8OvPVGJ-hQMRKRrZuJAEcl7B338qju59zJMjw2DELjzEvxwYv7"


@pytest.fixture(scope="module")
def google(tmp_path_factory):
    with FCMService(tmp_path_factory.mktemp("fcm")) as service:
        yield service


@pytest.fixture(scope="module")
def pushing(google):
    with Gateway(options=["--fcm", google.file()]) as gateway:
        yield add_channels(gateway)


@pytest.fixture
def chat(pushing, google):
    google.answers.clear()
    google.token_answers.clear()
    return Chat(pushing, "contract-multi", firstName="Ann")


def register(chat, **more):
    # Each chat has a device of its own, or one registration would remove the other.
    return chat.gateway.call("PUT", f"{chat.path}/device", {"kind": "fcm", "token": f"{uuid.uuid4()}:x", **more})


def test_a_request_is_what_google_documents(chat, pushing, google):
    assert pushing.get("/v1/push")["apps"] == [{"kind": "fcm", "project": "example-shop"}]
    device = register(chat, token=TOKEN, os="Android", osVersion="16").json
    assert device["kind"] == "fcm" and device["project"] == "example-shop" and device["state"] == "active"
    assert "topic" not in device
    assert push(chat)[0] == "delivered"
    request = google.pushes[-1]
    assert request.path == "/v1/projects/example-shop/messages:send"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["authorization"] == f"Bearer token-{len(google.exchanges)}"
    message = request.json["message"]
    assert message["token"] == TOKEN and message["notification"]["title"] == "Parley"
    assert message["android"]["priority"] == "HIGH" and message["android"]["ttl"] == "86400s"
    assert all(type(value) is str for value in message["data"].values())
    assert len(request.body) - len(TOKEN) <= 4096
    assertion = google.assertion()
    assert jwt.get_unverified_header(assertion) == {"alg": "RS256", "typ": "JWT", "kid": "9f8e7d6c"}
    claims = jwt.decode(assertion, google.key.public_key(), algorithms=["RS256"], audience=f"{google.url}/token")
    assert claims["iss"] == EMAIL and claims["scope"] == "https://www.googleapis.com/auth/firebase.messaging"
    assert claims["exp"] - claims["iat"] == 3600 and 0 <= time.time() - claims["iat"] < 3600
    assert set(claims) == {"iss", "scope", "aud", "iat", "exp"}


def test_one_access_token_serves_all(chat, pushing, google):
    register(chat)
    push(chat)
    before = len(google.exchanges)
    for one in [Chat(pushing, "contract-multi") for _ in range(3)]:
        register(one)
        assert push(one)[0] == "delivered"
    assert len(google.exchanges) == before
    assert len({one.headers["authorization"] for one in google.pushes[-3:]}) == 1


def test_a_message_is_pushed_with_what_apps_read(chat, pushing, google):
    thread, at_desk = chat.open(name="Order")
    register(chat)
    before = len(google.pushes)
    message = pushing.post(f"{at_desk}/messages", {"text": "It left today.", "agent": {"id": "a", "name": "Marta"}})
    until("the push", lambda: len(google.pushes) > before, QUIET + 15)
    request = google.pushes[-1]
    data = request.json["message"]["data"]
    assert data["threadId"] == thread.rpartition("/")[2] and data["messageId"] == message["id"]
    assert request.json["message"]["android"]["notification"]["notification_count"] == 1
    # Google could read it.
    assert b"It left today." not in request.body and b"Marta" not in request.body
    until("its outcome", lambda: pushing.get(f"{chat.path}/device/deliveries?state=delivered")["items"])
    assert pushing.get(f"{chat.path}/device")["lastDelivery"]["status"] == 200


@pytest.mark.parametrize(("status", "word", "code", "field", "device"), [
    (404, "NOT_FOUND", "UNREGISTERED", None, "gone"),
    (403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH", None, "refused"),
    (400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "message.token", "refused"),
    (400, "INVALID_ARGUMENT", "INVALID_ARGUMENT", "message.data", "active"),
    (429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED", None, "active"), (503, "UNAVAILABLE", "UNAVAILABLE", None, "active"),
    (500, "INTERNAL", "INTERNAL", None, "active"), (401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR", None, "active"),
    (403, "PERMISSION_DENIED", None, None, "active"), (404, "NOT_FOUND", None, None, "active"),
])
def test_each_code_is_told_and_leaves_the_device_as_it_should(chat, google, status, word, code, field, device):
    register(chat)
    google.refuse(status, word, code, field)
    outcome, attempt = push(chat)
    assert outcome == "dead" and attempt["status"] == status and attempt["error"] == (code or word)
    assert state(chat) == device
    assert register(chat).json["state"] == "active"
    assert push(chat)[0] == "delivered"


def test_a_push_is_sent_again_after_the_time_that_google_asks_for(chat, pushing, google):
    _, at_desk = chat.open(name="Busy")
    register(chat)
    before = len(google.pushes)
    google.refuse(503, "UNAVAILABLE", "UNAVAILABLE", **{"Retry-After": "600"})
    pushing.post(f"{at_desk}/messages", {"text": "Hello?"})
    until("the push", lambda: len(google.pushes) > before, QUIET + 15)
    waiting = until("its outcome", lambda: [
        one for one in pushing.get(f"{chat.path}/device/deliveries?state=pending")["items"] if one["attempts"]])[0]
    at, again = waiting["attempts"][-1]["at"], waiting["nextAttemptAt"]
    seconds = [calendar.timegm(time.strptime(one[:19], "%Y-%m-%dT%H:%M:%S")) for one in (at, again)]
    assert 599 <= seconds[1] - seconds[0] <= 700


def test_a_token_that_is_not_accepted_is_replaced(chat, google):
    register(chat)
    push(chat)
    google.refuse(401, "UNAUTHENTICATED")
    assert push(chat)[0] == "delivered"
    tokens = [one.headers["authorization"] for one in google.pushes[-2:]]
    assert tokens[0] != tokens[1]


def test_an_account_that_google_refuses_is_told_to_the_operator(tmp_path):
    with FCMService(tmp_path) as google, Gateway(options=["--fcm", google.file()]) as gateway:
        chat = Chat(add_channels(gateway), "contract-multi")
        register(chat)
        google.token_answers += [(400, {"error": "invalid_grant", "error_description": "Invalid JWT"}, {})] * 2
        assert push(chat)[1]["error"] == push(chat)[1]["error"] == "invalid_grant"
        assert not google.pushes and state(chat) == "active"
        # The log is written by a thread of its own.
        until("the notice", lambda: "wait, and are tried" in gateway.whole_log())
        assert gateway.whole_log().count("wait, and are tried") == 1 and "--fcm" in gateway.whole_log()
        assert push(chat)[0] == "delivered"
        until("the other notice", lambda: "go out again" in gateway.whole_log())


def test_google_must_not_be_where_nobody_may_be_asked(tmp_path):
    """The operator's addresses are judged, too: no metadata service, and not the gateway itself."""
    with FCMService(tmp_path) as google:
        google.account(token_uri="https://169.254.169.254/token")
        with Gateway(options=["--fcm", google.file()]) as gateway:
            chat = Chat(add_channels(gateway), "contract-multi")
            register(chat)
            assert push(chat)[1]["error"] == "addressRefused" and state(chat) == "active"


def test_who_is_not_google_is_told_by_name(tmp_path):
    with FCMService(tmp_path) as google:
        trustme.CA().cert_pem.write_to_path(tmp_path / "ca.pem")
        with Gateway(options=["--fcm", google.file()]) as gateway:
            chat = Chat(add_channels(gateway), "contract-multi")
            register(chat)
            assert push(chat)[1]["error"] == "untrustedCertificate"
            assert not google.exchanges, "nothing was sent"


def test_data_only_is_for_apps_that_show_it_themselves(tmp_path):
    with FCMService(tmp_path) as google, Gateway(options=["--fcm", google.file(**{"data only": True})]) as gateway:
        chat = Chat(add_channels(gateway), "contract-multi")
        register(chat)
        assert push(chat)[0] == "delivered"
        message = google.pushes[-1].json["message"]
        assert "notification" not in message and message["data"]["pinpoint.notification.title"] == "Parley"


@pytest.mark.parametrize(("change", "code", "pointer"), [
    ({"token": "a b"}, "invalidSubscription", "#/token"), ({"project": "other-shop"}, "pushNotConfigured", "#/project"),
    ({"topic": "com.example.app"}, "unknownMember", "#/topic"),
])
def test_a_registration_is_checked(chat, change, code, pointer):
    answer = register(chat, **change)
    assert answer.json["errors"][0]["code"] == code and answer.json["errors"][0]["pointer"] == pointer


def test_an_app_of_another_service_is_not_configured(chat):
    answer = chat.gateway.call("PUT", f"{chat.path}/device", {"kind": "apns", "token": "00ff"})
    assert answer.code == "pushNotConfigured"


def test_nothing_secret_is_said(chat, pushing, google):
    shown = register(chat, token=TOKEN).text
    google.refuse(500, "INTERNAL", "INTERNAL")
    push(chat)
    bearer = google.pushes[-1].headers["authorization"].split()[1]
    key = json.loads((google.folder / "service-account.json").read_text())["private_key"].splitlines()[1]
    for text in (shown, pushing.get(f"{chat.path}/device/deliveries").text, pushing.whole_log()):
        assert TOKEN not in text and bearer not in text and key not in text and google.assertion() not in text


@pytest.mark.parametrize(("change", "said"), [
    ({"project": "a/b"}, "/0/project"), ({"account": "missing.json"}, "/0/account"), ({"ca": "missing.pem"}, "/0/ca"),
    ({"url": "http://localhost"}, "/0/url"), ({"topic": "x"}, "/0/topic"), ({"data only": "yes"}, "/0/data only"),
])
def test_a_file_that_cannot_be_used_is_refused_by_name(tmp_path, change, said):
    with FCMService(tmp_path) as service:
        file = service.file(**change)
        answer = start(file, tmp_path)
        assert file in answer and said in answer, answer


@pytest.mark.parametrize("member", ["type", "client_email", "private_key", "token_uri"])
def test_an_account_that_cannot_be_used_is_refused_by_name(tmp_path, member):
    with FCMService(tmp_path) as service:
        service.account(**{member: None})
        answer = start(service.file(), tmp_path)
        assert "/0/account" in answer and f"/{member}" in answer and "PRIVATE KEY" not in answer


def test_an_accounts_key_must_be_its_owners_alone(tmp_path):
    with FCMService(tmp_path) as service:
        service.account().chmod(0o640)
        answer = start(service.file(), tmp_path)
        assert "/0/account" in answer and "0600" in answer


def start(file, folder):
    """What `parley serve` says of a file that it cannot use. The environment names it as the flag does."""
    return serve(None, folder, PARLEY_FCM=file)
