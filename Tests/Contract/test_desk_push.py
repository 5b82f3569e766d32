"""Pushes to the browsers of agents, and what channels say of pushes: the HTTP API, and what goes to the push service."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from chat import Chat, add_channels
from gateway import Gateway, until
from keys import Key
from people import Person
from push_receiver import PushReceiver

QUIET = 30  # seconds after a start in which nothing is pushed
ARTICLE = pathlib.Path(__file__).parents[2] / "Sources/parley/Parley.docc/Pushes.md"
DEVICES = "/v1/desk/devices"


@pytest.fixture(scope="module")
def receiver():
    with PushReceiver() as receiver:
        yield receiver


@pytest.fixture(scope="module")
def pushing(receiver):
    with Gateway(options=["--push-allow-host", receiver.host]) as gateway:
        yield add_channels(gateway)


@pytest.fixture
def chat(pushing):
    return Chat(pushing, "contract-multi", firstName="Ann")


def register(gateway, receiver, path="/push/desk"):
    body = {"kind": "webPush", "subscription": receiver.subscription(path), "page": "http://localhost:8787/desk"}
    return gateway.post(DEVICES, body)


def test_a_device_ends_with_what_has_registered_it(pushing, receiver):
    body = {"kind": "webPush", "page": "http://localhost:8787/desk"}
    key, boss = Key(pushing, "desk.write"), Person(pushing, "supervisor")
    by_key = key.post(DEVICES, body | {"subscription": receiver.subscription("/push/by-key")})
    by_person = boss.post(DEVICES, body | {"subscription": receiver.subscription("/push/by-person")})
    assert (by_key.status, by_person.status) == (201, 201)
    pushing.post(f"{key.path}/rotate", {"overlapSeconds": 0})
    assert pushing.get(f"{DEVICES}/{by_key['id']}").code == "unknownDevice"
    assert pushing.get(f"{DEVICES}/{by_person['id']}").status == 200
    assert pushing.call("PATCH", boss.path, {"channels": ["contract-multi"]}).status == 200
    assert pushing.get(f"{DEVICES}/{by_person['id']}").code == "unknownDevice"
    assert boss.post(DEVICES, body | {"subscription": receiver.subscription("/push/later")}).code == "outsideChannels"


def states(gateway, device):
    return {item["state"] for item in gateway.get(f"{DEVICES}/{device}/deliveries")["items"]}


def notification(receiver, index=-1):
    return json.loads(receiver.read(receiver.pushes[index][1]))["notification"]


def test_a_device_of_the_desk_comes_and_goes(pushing, receiver):
    made = register(pushing, receiver, "/push/secret-desk")
    assert made.status == 201 and made.header("Location") == f"{DEVICES}/{made['id']}"
    assert register(pushing, receiver, "/push/secret-desk").status == 200
    one = pushing.get(made.header("Location"))
    assert one.json == made.json and one["state"] == "active" and one["endpointHost"] == "127.0.0.1"
    assert [device["id"] for device in pushing.get(DEVICES)["items"]] == [made["id"]]
    test = pushing.post(f"{DEVICES}/{made['id']}/test")
    assert test["state"] == "delivered" and notification(receiver)["title"] == "Parley"
    assert pushing.get(f"{DEVICES}/{made['id']}/deliveries")["items"] == []
    for text in (made.text, one.text, test.text, pushing.get(DEVICES).text, pushing.log()):
        assert "secret-desk" not in text and receiver.subscription()["keys"]["auth"] not in text
    assert pushing.delete(f"{DEVICES}/{made['id']}").status == 204
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/test"), ("GET", "/deliveries")):
        assert pushing.call(method, f"{DEVICES}/{made['id']}{path}").code == "unknownDevice"


def test_only_the_gateways_token_opens_them(pushing, chat, receiver):
    for method, path in (("GET", DEVICES), ("POST", DEVICES), ("GET", f"{DEVICES}/x"), ("POST", f"{DEVICES}/x/test")):
        body = {"kind": "webPush", "subscription": receiver.subscription()} if path == DEVICES and method == "POST" else None
        assert pushing.call(method, path, body, token=chat.token).status == 403


def test_agents_are_told_of_customers_and_not_while_they_follow(pushing, chat, receiver):
    away = register(pushing, receiver, "/push/away")["id"]
    here = register(pushing, receiver, "/push/here")["id"]
    before = len(receiver.pushes)
    with pushing.events(f"/v1/desk/events?holder={here}") as stream:
        stream.wait("ready")
        thread, at_desk = chat.open(name="Order")
        message = chat.say(thread, "Is it there yet?")
        # The first message tells of the thread, the second takes its place: one topic, one tag.
        until("the push", lambda: len(receiver.pushes) >= before + 2, QUIET + 15)
        until("the record", lambda: states(pushing, away) == {"delivered"})
        assert states(pushing, here) == {"pending"}
        told = [notification(receiver, index) for index in range(before, len(receiver.pushes))]
        assert any(one["body"] == "Is it there yet?" for one in told)
        assert all(one["navigate"].startswith("http://localhost:8787/desk?channel=contract-multi&thread=") for one in told)
        assert message["id"] in "".join(one["navigate"] for one in told)
        pushing.post(f"{at_desk}/read")
        done = len(receiver.pushes)
    until("the look", lambda: all(
        item["state"] == "dropped" and item["reason"] == "read" for item in pushing.get(f"{DEVICES}/{here}/deliveries")["items"]), 20)
    assert len(receiver.pushes) == done
    for id in (away, here):
        pushing.delete(f"{DEVICES}/{id}")


def test_a_channel_says_what_is_told(pushing, chat, receiver):
    channel = "/v1/desk/channels/contract-multi"
    settings = {"title": "Acme", "body": "There is news.", "deeplink": "acme://{channelId}/{threadId}", "content": "none"}
    assert pushing.patch(channel, {"push": settings})["push"] == settings
    assert pushing.get(channel)["push"] == settings
    try:
        thread, at_desk = chat.open(name="Order")
        pushing.put(f"{chat.path}/device", {"kind": "webPush", "subscription": receiver.subscription("/push/told")})
        before = len(receiver.pushes)
        pushing.post(f"{at_desk}/messages", {"text": "It left today.", "agent": {"id": "a", "name": "Marta"}})
        until("the push", lambda: len(receiver.pushes) > before, QUIET + 15)
        plain = receiver.read(receiver.pushes[-1][1]).decode()
        assert notification(receiver)["title"] == "Acme" and notification(receiver)["body"] == "There is news."
        assert "Marta" not in plain and "left today" not in plain
    finally:
        assert "push" not in pushing.patch(channel, {"push": None}).json


@pytest.mark.parametrize("settings", [
    {"content": "all"}, {"content": 1}, {"title": ""}, {"title": "a" * 129}, {"body": "a" * 601}, {"deeplink": "no scheme"},
    {"deeplink": "a:{thread}"}, {"deeplink": "a:" + "b" * 511}, {"sound": "x"}, [], "full",
])
def test_a_channels_settings_are_checked(pushing, settings):
    answer = pushing.call("PATCH", "/v1/desk/channels/contract-multi", {"push": settings})
    assert answer.status == 422 and answer.json["errors"][0]["pointer"].startswith("#/push")


def test_pushes_are_counted_without_names(pushing, receiver):
    device = register(pushing, receiver, "/push/counted")["id"]
    pushing.post(f"{DEVICES}/{device}/test")
    receiver.answers.append((410, {}))
    pushing.post(f"{DEVICES}/{device}/test")
    text = pushing.get("/metrics").text
    for outcome in ("delivered", "refused"):
        found = re.search(rf'parley_delivery_attempts_total{{kind="webPush",outcome="{outcome}"}} (\d+)', text)
        assert int(found[1]) >= 1
    assert int(re.search(r'parley_delivery_targets{kind="webPush",state="gone"} (\d+)', text)[1]) >= 1
    assert '\nparley_delivery_attempt_duration_seconds_count{kind="webPush"} ' in text
    assert '\nparley_deliveries_pending{kind="webPush"} ' in text
    assert device not in text and receiver.host not in text
    pushing.wait_for_log(f"webPush {device} at 127.0.0.1: answered 410")
    pushing.delete(f"{DEVICES}/{device}")


def test_the_lines_of_the_article(pushing, chat, receiver):
    thread, _ = chat.open(name="Order")
    lines = re.search(r"```sh\n(.*?)```", ARTICLE.read_text(), re.S)[1]
    field = """field() { python3 -c "import json,sys; print(json.load(sys.stdin)['$1'])"; }\n"""
    environment = {
        **os.environ, "API": f"{pushing.origin}/v1", "AUTH": f"Authorization: Bearer {pushing.token}",
        "MINE": f"Authorization: Bearer {chat.token}", "JSON": "Content-Type: application/json", "S": chat.id,
        "T": thread.rpartition("/")[2], "SUBSCRIPTION": json.dumps(receiver.subscription("/push/article")),
    }
    done = subprocess.run(
        ["bash", "-euc", field + lines], env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert '"code"' not in done.stdout and '"state":"delivered"' in done.stdout and '"push":{' in done.stdout
    assert pushing.get(DEVICES)["items"] == []
