"""Sendbird's Platform API as the gateway serves it, asked by a plain client, and what the gateway shows of it."""

import json
import urllib.error
import urllib.parse
import urllib.request

import pytest
from commands import answer, parley
from gateway import Gateway
from keys import Key


@pytest.fixture(scope="module")
def served():
    with Gateway(options=["--sendbird-sandbox"]) as gateway:
        yield Program(gateway)


class Program:
    """A program that was made for the platform."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.info = gateway.get("/v1/info")["sendbirdSandbox"]

    def call(self, method, path, body=None, token=None):
        """The status and the JSON of an answer. Without a `Content-Type`, as careless programs call."""
        request = urllib.request.Request(
            f"{self.info['url']}/v3{path}", method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Api-Token": self.info["apiToken"] if token is None else token})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                status, headers, text = answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            status, headers, text = error.code, error.headers, error.read()
        assert headers["Content-Type"] == "application/json"
        assert b"/" not in text.replace(b"\\/", b""), "slashes are escaped"
        return status, json.loads(text)

    def ask(self, method, path, body=None):
        status, answer = self.call(method, path, body)
        assert status == 200, answer
        return answer

    def user(self, name):
        return self.ask("POST", "/users", {"user_id": name, "nickname": name.title(), "profile_url": ""})


def test_only_who_runs_the_gateway_sees_the_token(served):
    gateway = served.gateway
    session = gateway.post("/v1/sessions", {"channel": served.info["channel"]})
    key = Key(gateway, "sandbox.write")
    for token in (session["token"], key.text):
        info = gateway.get("/v1/info", token=token)
        assert info.status == 200 and "sendbirdSandbox" not in info.json


def test_the_usual_way_of_a_back_end(served):
    """The user is looked for, made, and gets a message, which customers and the desk see in the gateway, too."""
    assert served.call("GET", "/users/ada")[0] == 400
    assert served.user("ada")["is_created"]
    served.user("bob")
    body = {"user_ids": ["ada", "bob"], "is_distinct": True, "name": "Order 7/81"}
    url = served.ask("POST", "/group_channels", body)["channel_url"]
    assert served.ask("POST", "/group_channels", body)["channel_url"] == url
    sent = served.ask("POST", f"/group_channels/{url}/messages", {"message_type": "MESG", "user_id": "ada", "message": "Hello"})
    assert (sent["type"], sent["user"]["nickname"], sent["channel_url"]) == ("MESG", "Ada", url)
    assert served.ask("GET", "/users/bob/unread_message_count") == {"unread_count": 1}
    gateway = served.gateway
    session = gateway.post("/v1/sessions", {"channel": served.info["channel"], "customer": {"id": "bob"}})["id"]
    thread = gateway.get(f"/v1/sessions/{session}/threads/{url}")
    assert (thread["name"], thread["unreadCount"], thread["lastMessage"]["text"]) == ("Order 7/81", 1, "Hello")
    gateway.post(f"/v1/sessions/{session}/threads/{url}/messages", {"text": "Hi"})
    listed = served.ask("GET", f"/group_channels/{url}/messages?message_ts=0")["messages"]
    assert [(message["user"]["user_id"], message["message"]) for message in listed] == [("ada", "Hello"), ("bob", "Hi")]
    assert gateway.get(f"/v1/desk/threads/{url}")["lastMessage"]["text"] == "Hi"


@pytest.mark.parametrize("method, path, body, code", [
    ("GET", "/users/nobody", None, 400301), ("GET", "/group_channels/none", None, 400201),
    ("POST", "/users", {"user_id": "x"}, 400105), ("POST", "/users", [], 400403), ("POST", "/users", None, 400402),
    ("GET", "/polls", None, 400930), ("PATCH", "/users", {}, 400930),
])
def test_an_error_has_the_platforms_shape(served, method, path, body, code):
    status, answer = served.call(method, path, body)
    assert (status, answer["error"], answer["code"]) == (400, True, code)
    assert set(answer) == {"error", "code", "message"} and answer["message"]


@pytest.mark.parametrize("token", ["", "0" * 40])
def test_a_wrong_token_opens_nothing(served, token):
    assert served.call("GET", "/users", token=token)[1]["code"] == 400401


def test_the_gateways_token_opens_nothing(served):
    assert served.call("GET", "/users", token=served.gateway.token)[1]["code"] == 400401


def test_a_page_of_another_origin_gets_nothing(served):
    request = urllib.request.Request(
        f"{served.info['url']}/v3/users", headers={"Api-Token": served.info["apiToken"], "Origin": "https://shop.example"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request, timeout=30)
    assert refused.value.code == 403


# The gateway of these tests has both sandboxes.

FAULTS, SCRIPTS, FRAMES = (f"/v1/sandbox/{name}" for name in ("faults", "scripts", "frames"))
SENDBIRD = "?platform=sendbird"


def ids(gateway, path):
    return [item["id"] for item in gateway.get(path)["items"]]


def test_each_platform_has_faults_of_its_own(served):
    gateway = served.gateway
    fault = gateway.post(FAULTS + SENDBIRD, {"kind": "refuse", "event": "createUser", "errorCode": "500910"})["id"]
    other = gateway.post(FAULTS, {"kind": "loseAnswer", "event": "SendMessage"})["id"]
    assert (ids(gateway, FAULTS + SENDBIRD), ids(gateway, FAULTS), ids(gateway, f"{FAULTS}?platform=cxone")) == (
        [fault], [other], [other])
    status, refused = served.call("POST", "/users", {"user_id": "late", "nickname": "", "profile_url": ""})
    assert (status, refused["code"]) == (429, 500910)
    assert (ids(gateway, FAULTS + SENDBIRD), ids(gateway, FAULTS)) == ([], [other])
    gateway.post(FAULTS + SENDBIRD, {"kind": "refuse", "event": "createUser"})
    gateway.delete(FAULTS + SENDBIRD)
    assert (ids(gateway, FAULTS + SENDBIRD), ids(gateway, FAULTS)) == ([], [other])
    gateway.delete(FAULTS)
    assert ids(gateway, FAULTS) == []


def test_each_platform_has_its_own_kinds(served):
    refused = served.gateway.post(FAULTS + SENDBIRD, {"kind": "dropSocket"}, check=False)
    assert (refused.status, refused["code"]) == (422, "invalidValue")


@pytest.mark.parametrize("name", ["slack", "", "Sendbird", "x" * 300])
def test_no_other_platform_is_taken(served, name):
    for path in (FAULTS, SCRIPTS, FRAMES):
        refused = served.gateway.get(f"{path}?platform={name}", check=False)
        assert (refused.status, refused["code"]) == (400, "invalidParameter")
    assert served.gateway.post(f"/v1/sandbox/reset?platform={name}", check=False).status == 400


def test_each_platform_has_scripts_of_its_own(served):
    gateway = served.gateway
    script = gateway.post(SCRIPTS + SENDBIRD, {"steps": [{"fault": {"kind": "refuse", "event": "createUser"}}]})["id"]
    assert (ids(gateway, SCRIPTS + SENDBIRD), ids(gateway, SCRIPTS)) == ([script], [])
    assert gateway.get(f"{SCRIPTS}/{script}")["id"] == script
    gateway.delete(f"{SCRIPTS}/{script}")
    assert ids(gateway, SCRIPTS + SENDBIRD) == [] == ids(gateway, FAULTS + SENDBIRD)


def test_each_platform_has_frames_and_a_reset_of_its_own(served):
    gateway = served.gateway
    served.call("GET", "/users/nobody")
    frames = gateway.get(FRAMES + SENDBIRD)["items"]
    assert [(frame["type"], frame["kind"]) for frame in frames[-2:]] == [("getUser", "request"), ("getUser", "answer")]
    assert "getUser" not in [frame["type"] for frame in gateway.get(FRAMES)["items"]]
    served.user("zoe")
    gateway.post("/v1/sandbox/reset")
    assert served.call("GET", "/users/zoe")[0] == 200, "CXone's reset concerns its own apps."
    gateway.post("/v1/sandbox/reset" + SENDBIRD)
    assert gateway.get(FRAMES + SENDBIRD)["items"] == []
    assert served.call("GET", "/users/zoe")[1]["code"] == 400301


def test_the_commands_name_a_platform(served):
    gateway, named = served.gateway, ("--platform", "sendbird")
    added = answer(gateway, "faults", "add", "refuse", "--event", "createUser", *named)
    assert (answer(gateway, "faults", *named), parley(gateway, "faults").stdout) == (added, "")
    answer(gateway, "faults", "clear", "-q", *named)
    assert parley(gateway, "faults", "list", *named).stdout == ""
    served.call("GET", "/users/nobody")
    shown = answer(gateway, "sandbox", "frames", "--event", "getUser", *named)
    assert "400301" in shown and parley(gateway, "sandbox", "frames", "--event", "getUser").stdout == ""
    served.user("yan")
    assert answer(gateway, "sandbox", "reset", "--yes", *named).split("\t")[1] != "0"
    assert parley(gateway, "faults", "--platform", "slack").returncode == 1


def test_application_and_token_stay_the_same(served):
    served.gateway.restart()
    assert Program(served.gateway).info | {"url": ""} == served.info | {"url": ""}
    served.info = Program(served.gateway).info
    assert served.info["apiToken"] not in served.gateway.whole_log()


def test_channel_and_token_are_chosen(monkeypatch):
    """A program in CI knows the token before the gateway runs. `parley config` does not show it."""
    token = "fixed_by-CI-0123456789"
    with Gateway(options=["--sendbird-sandbox"]) as gateway:
        assert gateway.post("/v1/desk/channels", {"id": "second", "mode": "multithread"}).status == 201
        monkeypatch.setenv("PARLEY_SENDBIRD_TOKEN", token)
        gateway.options = ["--sendbird-sandbox", "--sendbird-channel", "second"]
        gateway.restart()
        program = Program(gateway)
        assert (program.info["channel"], program.info["apiToken"]) == ("second", token)
        assert program.call("GET", "/users")[0] == 200
        assert program.call("GET", "/users", token=token[:-1])[1]["code"] == 400401
        shown = gateway.run("config")
        assert "(hidden)" in shown and token not in shown


@pytest.mark.parametrize("options, token, says", [
    (["--sendbird-channel", "no-such"], "", '--sendbird-channel must be a channel of several threads, and "no-such" is none'),
    ([], "too short", "PARLEY_SENDBIRD_TOKEN must be 16 to 128 letters"),
])
def test_what_cannot_be_chosen(monkeypatch, tmp_path, options, token, says):
    monkeypatch.setenv("PARLEY_SENDBIRD_TOKEN", token)
    gateway = Gateway(tmp_path, options=["--sendbird-sandbox", *options])
    with pytest.raises(AssertionError, match="the gateway ended with 1"):
        gateway.start()
    assert says in gateway.whole_log()
