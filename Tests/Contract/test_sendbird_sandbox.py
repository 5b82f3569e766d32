"""Sendbird's Platform API as the gateway serves it, asked by a plain client, and what the gateway shows of it."""

import json
import urllib.error
import urllib.parse
import urllib.request

import pytest
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


def test_application_and_token_stay_the_same(served):
    served.gateway.restart()
    assert Program(served.gateway).info | {"url": ""} == served.info | {"url": ""}
    served.info = Program(served.gateway).info
    assert served.info["apiToken"] not in served.gateway.whole_log()
