"""What the customers' page says while a channel is closed: when somebody comes, in the zone of whoever reads it."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from page import PHONE
from test_widget import closed_until


@pytest.fixture
def hours(gateway):
    """Sets hours of `multi` and `live`."""
    return lambda channel, value, **more: gateway.api("PATCH", f"/v1/desk/channels/{channel}", {"hours": value, **more})


def words(page, begin):
    """The line for a time some days away."""
    return page.js(
        "const at = (options) => new Intl.DateTimeFormat('en', options).format(new Date(arguments[0]));"
        "return `We are here again ${at({weekday: 'long'})} at ${at({hour: 'numeric', minute: '2-digit'})}`", begin)


def test_a_closed_channel_says_when_it_opens_and_hears_that_it_does(browser, gateway, hours, shots):
    closed, begin = closed_until(3)
    hours("multi", closed)
    page = browser.page(size=PHONE)
    page.cdp("Emulation.setTimezoneOverride", timezoneId="America/New_York")
    page.go("/?channel=multi")
    page.ready()
    page.look()
    page.says("blank", words(page, begin))
    there = datetime.fromisoformat(begin.replace("Z", "+00:00")).astimezone(ZoneInfo("America/New_York"))
    assert f"{there:%A} at {there:%-I:%M}" in page.text("blank"), "in the visitor's zone"
    page.click("start")
    page.says("opening", words(page, begin))
    page.screenshot(shots / "chat-closed.png")
    page.send("When do you open?")
    page.becomes("When do you open?", "delivered")
    later, then = closed_until(4)
    hours("multi", later)
    page.says("opening", words(page, then))
    hours("multi", None)
    page.gone("opening")


def test_without_a_time_to_come_nobody_is_here_until_an_agent_comes(browser, gateway, hours):
    hours("multi", {"timeZone": "UTC", "week": {}})
    page = browser.chat("multi")
    page.says("blank", "Nobody is here now. Leave a message.")
    hours("multi", {"timeZone": "UTC", "mode": "agents"})
    page.says("blank", "Nobody is here now. Leave a message.")
    gateway.api("PUT", "/v1/desk/presence", {"state": "online", "agent": {"id": "mara", "name": "Mara"}})
    page.says("blank", "Write to us")


def test_a_live_chat_says_it_in_the_empty_page(browser, gateway, hours):
    closed, begin = closed_until(3)
    hours("live", closed)
    page = browser.page("/?channel=live")
    page.find("try-again")
    page.says("blank", words(page, begin))
