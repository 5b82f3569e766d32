"""Devices of apps that talk to the sandbox: how their tokens come, and what is pushed to them while nobody is there."""

import json

import pytest
from apns_service import APNsService
from chat import add_channels
from gateway import Gateway, until
from platform_client import PlatformClient, new_id

QUIET = 30  # seconds after a start in which nothing is pushed
AGENT = {"id": "4021", "name": "Marta Novak"}
SIMULATED = "/v1/desk/events?types=push.simulated"


@pytest.fixture(scope="module")
def apple(tmp_path_factory):
    with APNsService(tmp_path_factory.mktemp("apns")) as service:
        yield service


@pytest.fixture(scope="module")
def pushing(apple):
    with Gateway(options=["--apns", apple.file()]) as gateway:
        yield add_channels(gateway)


class App:
    """An app on a phone, with a thread."""

    def __init__(self, gateway, channel="contract-multi"):
        self.gateway, self.client = gateway, PlatformClient(gateway, channel)
        self.thread = new_id()

    def tell_visitor(self, **fingerprint):
        """The visitor's PUT; `deviceToken=None` is null."""
        body = {"customerIdentity": {"idOnExternalPlatform": self.client.customer},
                "browserFingerprint": {"os": "iOS", "osVersion": "18.1", "applicationType": "native", **fingerprint}}
        path = f"/web-analytics/1.0/tenants/{self.client.brand}/visitors/{self.client.visitor}"
        assert self.client.http("PUT", path, body).status == 200

    def open(self):
        self.client.connect()
        self.client.authorize()

    def send(self, **fingerprint):
        data = self.client.message(self.thread, "Where is my order?")
        data["deviceFingerprint"] = {"os": "iOS", **fingerprint}
        self.client.ask("SendMessage", data)

    def close(self):
        self.client.close()

    def agent_says(self, text="It left today."):
        answer = self.gateway.post(f"/v1/desk/threads/{self.thread}/messages", {"text": text, "agent": AGENT})
        assert answer.status == 201, answer
        return answer["id"]


def pushed(apple, message):
    """The pushes for a message."""
    return [one for one in apple.requests if one.headers.get("apns-collapse-id") == message]


def token_of(apple, message):
    until("the push", lambda: pushed(apple, message), QUIET + 30)
    return pushed(apple, message)[0].headers[":path"].removeprefix("/3/device/")


def test_a_token_comes_by_the_visitor_and_by_messages(pushing, apple):
    app = App(pushing)
    first, second, third = (new_id().replace("-", "") for _ in range(3))
    app.tell_visitor(deviceToken=first)
    app.open()
    app.send()
    app.close()
    message = app.agent_says()
    assert token_of(apple, message) == first
    push = pushed(apple, message)[0]
    assert push.headers["apns-topic"] == "com.example.app"
    assert push.json["channelId"] == app.client.channel and push.json["cxone_data"]["thread_id"] == app.thread
    # Changed while nobody is there.
    app.tell_visitor(deviceToken=second)
    assert token_of(apple, app.agent_says()) == second
    # Absent: it stays.
    app.tell_visitor()
    assert token_of(apple, app.agent_says()) == second
    # By a message.
    app.open()
    app.send(deviceToken=third)
    app.close()
    assert token_of(apple, app.agent_says()) == third


@pytest.mark.parametrize("way", ["visitor", "message"])
def test_null_takes_the_device_away(pushing, apple, way):
    gone, other = App(pushing), App(pushing)
    for app in (gone, other):
        app.tell_visitor(deviceToken=new_id().replace("-", ""))
        app.open()
        app.send()
    if way == "visitor":
        gone.tell_visitor(deviceToken=None)
    else:
        gone.send(deviceToken=None)
    for app in (gone, other):
        app.close()
    message = gone.agent_says()
    # What comes later to another device shows that nothing comes to this one.
    token_of(apple, other.agent_says())
    assert not pushed(apple, message)


def test_who_is_connected_is_not_pushed_to_until_the_socket_closes(pushing, apple):
    app, other = App(pushing), App(pushing)
    for one in (app, other):
        one.tell_visitor(deviceToken=new_id().replace("-", ""))
        one.open()
        one.send()
    other.close()
    message = app.agent_says()
    token_of(apple, other.agent_says())
    assert not pushed(apple, message)
    app.close()
    token_of(apple, message)


def test_the_configuration_says_that_an_app_is_there(pushing, gw):
    shown = App(pushing).client.configuration()["settings"]["pushNotifications"]
    assert shown["isActive"] and shown["title"] and shown["body"] and shown["pinpointProjectId"] == ""
    assert not App(gw).client.configuration()["settings"]["pushNotifications"]["isActive"]


def test_without_an_app_an_event_tells_what_would_have_been_sent(gw):
    app, token = App(gw), new_id().replace("-", "")
    app.tell_visitor(deviceToken=token)
    app.open()
    app.send()
    app.close()
    with gw.events(SIMULATED) as stream:
        message = app.agent_says()
        while (told := stream.wait("push.simulated", QUIET + 30).data)["messageId"] != message:
            pass
    assert told["channel"] == "contract-multi" and told["customer"] == app.client.customer and told["threadId"] == app.thread
    assert told["headers"]["apns-push-type"] == "alert" and told["headers"]["apns-collapse-id"] == message
    payload = told["payload"]
    assert payload["aps"]["alert"]["title"] and payload["aps"]["badge"] == 1 and payload["aps"]["thread-id"] == app.thread
    assert payload["channelId"] == app.client.channel and payload["messageId"] == message
    assert token not in json.dumps(told) and token not in gw.log()


def test_other_systems_have_no_devices(gw):
    android, other = App(gw), App(gw)
    android.tell_visitor(os="Android", deviceToken=new_id().replace("-", ""))
    other.tell_visitor(deviceToken=new_id().replace("-", ""))
    for app in (android, other):
        app.open()
        app.send()
        app.close()
    with gw.events(SIMULATED) as stream:
        message = android.agent_says()
        last = other.agent_says()
        told = stream.collect(lambda event: event.data.get("messageId") == last, QUIET + 30)
    assert message not in [event.data.get("messageId") for event in told]


def test_a_device_survives_a_restart():
    with Gateway() as gateway:
        app = App(add_channels(gateway))
        app.tell_visitor(deviceToken=new_id().replace("-", ""))
        app.open()
        app.send()
        app.close()
        gateway.kill()
        gateway.start()
        with gateway.events(SIMULATED) as stream:
            message = app.agent_says()
            assert stream.wait("push.simulated", QUIET + 30).data["messageId"] == message


def test_a_clean_start_takes_devices_of_before_a_restart():
    """Nobody has connected since the restart, so the process knows nothing of the device."""
    with Gateway() as gateway:
        app = App(add_channels(gateway))
        app.tell_visitor(deviceToken=new_id().replace("-", ""))
        app.open()
        app.send()
        app.close()
        gateway.restart()
        gateway.post("/v1/sandbox/reset")
        other = App(gateway)
        other.tell_visitor(deviceToken=new_id().replace("-", ""))
        app.thread = new_id()
        for each in (app, other):
            each.open()
            each.send()
            each.close()
        with gateway.events(SIMULATED) as stream:
            message = app.agent_says()
            last = other.agent_says()
            told = stream.collect(lambda event: event.data.get("messageId") == last, QUIET + 30)
        assert message not in [event.data.get("messageId") for event in told]
