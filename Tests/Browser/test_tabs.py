"""Tabs of one browser share one stream, however it is shared; when the one that leads goes, another takes over."""

import pytest

from gateway import until

TRANSPORTS = ["worker", "leader"]


def one_stream(page, gateway):
    page.wait(lambda: len(gateway.streams()) == 1, "one stream for all tabs")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_two_tabs_one_stream(browser, gateway, transport):
    first = browser.chat("multi", stream=transport)
    first.click("new-thread")
    first.send("one")
    first.becomes("one", "delivered")
    thread = first.thread
    second = browser.chat("multi", thread=thread, stream=transport)
    second.shows("one")
    assert second.session() == first.session()
    desk = browser.desk(stream=transport)
    desk.click("desk-thread")
    one_stream(desk, gateway)
    first.send("from the first tab")
    second.shows("from the first tab")
    second.send("from the second tab")
    first.shows("from the first tab", "from the second tab")
    desk.send("from the desk")
    for page in (first, second):
        page.shows("from the first tab", "from the second tab", "from the desk")
    one_stream(desk, gateway)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_leader_closes(browser, gateway, transport):
    first = browser.chat("multi", stream=transport)
    first.click("new-thread")
    first.send("one")
    first.becomes("one", "delivered")
    thread = first.thread
    second = browser.chat("multi", thread=thread, stream=transport)
    third = browser.desk(stream=transport)
    third.click("desk-thread")
    second.shows("one")
    third.shows("one")
    first.close()
    gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "in the gap"})
    for page in (second, third):
        page.shows("one", "in the gap")
    one_stream(second, gateway)
    second.send("two")
    third.shows("one", "in the gap", "two")
    second.close()
    gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "to the last one"})
    third.shows("one", "in the gap", "two", "to the last one")
    one_stream(third, gateway)
    third.wait(lambda: all("sessions" not in one or not one["sessions"] for one in gateway.streams()), "nobody follows the session any more")
    third.close()
    until(lambda: gateway.streams() == [], "no tab, no stream", 45)


def test_tabs_on_two_channels(browser, gateway):
    one, two = browser.chat("single"), browser.chat("multi")
    two.click("new-thread")
    one.send("on one")
    two.send("on two")
    desk = browser.desk()
    desk.wait(lambda: len(desk.items("desk-thread")) == 2, "both are at the desk")
    one_stream(desk, gateway)
    for page, text in ((one, "to one"), (two, "to two")):
        gateway.post(f"/v1/desk/threads/{page.thread}/messages", {"text": text})
        page.wait(lambda page=page, text=text: page.texts()[-1] == text, f"{text} arrives")
    assert one.texts() == ["on one", "to one"] and two.texts() == ["on two", "to two"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_tabs_and_a_restart(browser, gateway, console, transport):
    console.expect_outage()
    first = browser.chat("multi", stream=transport)
    first.click("new-thread")
    first.send("one")
    first.becomes("one", "delivered")
    second = browser.chat("multi", thread=first.thread, stream=transport)
    second.shows("one")
    gateway.restart()
    gateway.post(f"/v1/desk/threads/{first.thread}/messages", {"text": "after"})
    for page in (first, second):
        page.shows("one", "after")
        page.gone("banner")
    one_stream(first, gateway)


def test_the_stream_runs_in_a_shared_worker(browser):
    """Chromium knows shared workers with modules; the second load must find its way there too."""
    page = browser.chat("multi")
    for _ in range(2):
        targets = page.cdp("Target.getTargets")["targetInfos"]
        [url] = [one["url"] for one in targets if one["type"] == "shared_worker"]
        assert url == page.js("return new URL('stream-worker.js', document.querySelector('script[type=module]').src).href.replace('/chat/', '/')")  # the desk's, too
        page.reload()
        page.ready()
