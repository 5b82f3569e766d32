"""Planned work under a customer's open chat: what was typed waits, and goes out afterwards."""

import json
import signal

import pytest
from gateway import Gateway, until
from test_widget import visit  # noqa: F401

NOTE = "We are back at ten."


class Planned(Gateway):
    """A gateway that reads its settings from a file."""

    def __init__(self, folder):
        self.file = folder / "parley.json"
        self.file.write_text("{}")
        super().__init__(folder, "--config", str(self.file))

    def reload(self, **settings):
        self.file.write_text(json.dumps(settings))
        self.process.send_signal(signal.SIGHUP)
        until(lambda: self.get("/v1/info").get("maintenance") == settings.get("maintenance"), "the settings are read")


@pytest.fixture
def gateway(tmp_path):
    gateway = Planned(tmp_path).start()
    gateway.api("PATCH", "/v1/desk/channels/single", {"visitors": {"public": True, "origins": []}})
    yield gateway
    gateway.stop(signal.SIGKILL)


def test_a_message_waits_for_the_end_of_the_work(visit, gateway, console, shots):  # noqa: F811
    console.expect("status of 503")
    chat = visit("single")
    chat.send("Hello")
    chat.becomes("Hello", "delivered")
    # Half a minute is what the gateway says; it is too long for a test.
    chat.js("const set = setTimeout; window.setTimeout = (act, time, ...more) => set(act, time === 30000 ? 300 : time, ...more)")
    gateway.reload(maintenance=NOTE)
    chat.send("Are you there?")
    chat.becomes("Are you there?", "failed")
    chat.screenshot(shots / "maintenance.png")
    gateway.reload()
    chat.becomes("Are you there?", "delivered")
    assert [message[2] for message in chat.messages()] == ["Hello", "Are you there?"]


def test_somebody_begins_after_the_work(visit, gateway, console):  # noqa: F811
    console.expect("status of 503")
    gateway.reload(maintenance=NOTE)
    chat = visit("single")
    chat.send("Hello")
    chat.becomes("Hello", "failed")
    gateway.reload()
    chat.click("retry")
    chat.becomes("Hello", "delivered")
