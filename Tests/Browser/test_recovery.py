"""Reloads, and a gateway that stops, dies and comes back on its port: nothing lost, nothing doubled."""

import signal
import threading

import pytest

STOPS = [signal.SIGTERM, signal.SIGKILL]


def test_page_loads_twice(browser):
    """The second time the browser asks whether its copy is still good."""
    for path, hook in (("/?channel=multi", "new-thread"), ("/desk", "channel-filter")):
        page = browser.page(path)
        page.find(hook)
        page.reload()
        page.ready()
        page.find(hook)
        page.go(path)
        page.ready()
        page.find(hook)


@pytest.mark.parametrize("channel", ["single", "multi"])
def test_reload_in_the_middle(browser, channel):
    chat, desk = browser.chat(channel), browser.desk()
    if channel == "multi":
        chat.click("new-thread")
    chat.send("before")
    chat.becomes("before", "delivered", "seen")
    desk.click("desk-thread")
    for page in (chat, desk):
        thread = page.thread
        page.reload()
        page.ready()
        page.shows("before")
        assert page.thread == thread, "the address remembers the open conversation"
    desk.send("answer")
    chat.shows("before", "answer")
    chat.send("after")
    desk.shows("before", "answer", "after")
    # A reload at once after sending loses nothing either: either the message is there or it was never sent.
    chat.send("just before the reload")
    chat.becomes("just before the reload", "delivered", "seen")
    chat.reload()
    chat.ready()
    chat.shows("before", "answer", "after", "just before the reload")
    desk.shows("before", "answer", "after", "just before the reload")


@pytest.mark.parametrize("how", STOPS)
def test_gateway_restarts(browser, gateway, console, how):
    console.expect_outage()
    chat, desk = browser.chat("multi"), browser.desk()
    chat.click("new-thread")
    chat.send("one")
    desk.click("desk-thread")
    desk.shows("one")
    thread, session = chat.thread, chat.session()
    gateway.stop(how)
    for page in (chat, desk):
        page.find("banner")
        assert page.texts() == ["one"], "what is on show stays"
    chat.send("written while it was away")
    chat.becomes("written while it was away", "pending", "failed")
    desk.send("so was this")
    gateway.start()
    gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": "from the side"})
    for page in (chat, desk):
        page.gone("banner")
    chat.becomes("written while it was away", "delivered", "seen")
    desk.becomes("so was this", "delivered", "seen")
    expected = {"one", "written while it was away", "so was this", "from the side"}
    for page in (chat, desk):
        page.wait(lambda page=page: set(page.texts()) == expected, "everything is there")
        assert len(page.texts()) == len(expected), "nothing is doubled"
    stored = gateway.desk_messages(thread)
    assert chat.texts() == desk.texts() == [one["text"] for one in stored], "the order is the gateway's"
    assert chat.session() == session and chat.thread == thread
    chat.send("and on")
    desk.shows("and on")
    desk.send("it goes")
    chat.shows("and on", "it goes")


@pytest.mark.parametrize("how", STOPS)
def test_gateway_restarts_while_both_write(browser, gateway, console, how):
    console.expect_outage()
    chat, desk = browser.chat("multi"), browser.desk()
    chat.click("new-thread")
    chat.send("begin")
    desk.click("desk-thread")
    desk.shows("begin")
    thread = chat.thread
    mine = [f"customer {number}" for number in range(24)]
    theirs = [f"desk {number}" for number in range(24)]
    restart = threading.Thread(target=gateway.restart, args=[how])
    for number in range(24):
        chat.send(mine[number])
        desk.send(theirs[number])
        if number == 8:
            restart.start()
    restart.join()
    wanted = {"begin", *mine, *theirs}
    for page, own in ((chat, mine), (desk, theirs)):
        page.wait(lambda page=page: len(page.texts()) >= 49 and set(page.texts()) == wanted, "everything is there", 90)
        page.wait(lambda page=page, own=own: all(page.status(text) in ("delivered", "seen") for text in own), "everything is sent", 90)
    stored = [one["text"] for one in gateway.desk_messages(thread)]
    assert len(stored) == 49 and set(stored) == wanted, "each is stored once"
    assert [text for text in stored if text in mine] == mine, "in the order of writing"
    assert [text for text in stored if text in theirs] == theirs, "in the order of writing"
    for page in (chat, desk):
        page.wait(lambda page=page: page.texts() == stored, "the page shows the same")


def test_several_restarts(browser, gateway, console):
    console.expect_outage()
    chat, desk = browser.chat("single"), browser.desk()
    chat.send("round 0")
    desk.click("desk-thread")
    expected = ["round 0"]
    for number in range(1, 4):
        gateway.restart(STOPS[number % 2])
        gateway.post(f"/v1/desk/threads/{chat.thread}/messages", {"text": f"side {number}"})
        expected.append(f"side {number}")
        for page in (chat, desk):
            page.shows(*expected)
        chat.send(f"round {number}")
        expected.append(f"round {number}")
        for page in (chat, desk):
            page.shows(*expected)
            page.gone("banner")


def test_page_opened_while_the_gateway_is_away(browser, gateway, console):
    """What is asked of a gateway that is away is done when it is back."""
    console.expect_outage()
    chat = browser.chat("multi")
    for name in ("one", "two"):
        chat.click("new-thread")
        chat.wait(lambda: chat.texts() == [], "the new conversation is open")
        chat.send(name)
        chat.becomes(name, "delivered")
    first = chat.items("thread-item")[1]
    gateway.stop(signal.SIGKILL)
    chat.find("banner")
    chat.click("thread-item", f'[data-id="{first}"]')
    gateway.start()
    chat.gone("banner")
    chat.shows("one")


def offline(page, isOffline):
    page.cdp("Network.enable")
    page.cdp("Network.emulateNetworkConditions", offline=isOffline, latency=0, downloadThroughput=-1, uploadThroughput=-1)


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_a_page_that_is_cut_off_keeps_what_it_could_not_send(browser, gateway, console, side):
    """It says so on the message, with Resend and Remove; what was written later waits its turn."""
    console.expect_outage()
    chat, desk = browser.chat("multi"), browser.desk()
    chat.click("new-thread")
    chat.send("one")
    desk.click("desk-thread")
    desk.shows("one")
    page = chat if side == "customer" else desk
    page.becomes("one", "delivered", "seen") if side == "customer" else None
    offline(page, True)
    for text in ("two", "three", "four"):
        page.send(text)
    for text in ("two", "three", "four"):
        page.becomes(text, "failed")
    labels = "return [...all('message').at(-1).querySelectorAll('.failure button')].map((one) => one.textContent)"
    assert page.js(labels) == ["Resend", "Remove"]
    assert page.js("return all('message').at(-1).querySelector('.failure').textContent").startswith("Not sent.")
    assert page.js("return all('message').at(-1).querySelectorAll('.actions button:not([hidden])').length") == 0
    page.js("all('message').find((one) => one.querySelector('.text').textContent === 'three').querySelector('[data-test=discard]').click()")
    page.shows("one", "two", "four")
    retry = "all('message').find((one) => one.querySelector('.text').textContent === 'two')?.querySelector('[data-test=retry]').click()"
    page.js(retry)
    page.becomes("two", "pending")
    page.becomes("two", "failed")
    offline(page, False)
    page.js(retry)
    for text in ("two", "four"):
        page.becomes(text, "delivered", "seen")
    page.shows("one", "two", "four")
    assert [one["text"] for one in gateway.desk_messages(chat.thread)] == ["one", "two", "four"]


def test_session_deleted_elsewhere(browser, gateway, console):
    console.expect(r"status of 404")
    chat, desk = browser.chat("multi"), browser.desk()
    chat.click("new-thread")
    chat.send("one")
    desk.click("desk-thread")
    desk.shows("one")
    gateway.api("DELETE", f"/v1/sessions/{chat.session()}")
    chat.find("channel-picker")
    chat.click("channel-multi")
    chat.click("new-thread")
    chat.send("again")
    desk.says("desk-thread", "again")
