"""Phone and desktop, light and dark; and pictures of the main states for people to look at (PARLEY_SHOTS)."""

import os
import signal

import pytest

import states
from page import DESKTOP, PHONE

LOOKS = [pytest.param(size, dark, id=f"{size[0]}-{'dark' if dark else 'light'}") for size in (PHONE, DESKTOP) for dark in (False, True)]
SHOTS = pytest.mark.skipif(not os.environ.get("PARLEY_SHOTS"), reason="only makes pictures: PARLEY_SHOTS says where")


@SHOTS
@pytest.mark.furnished
@pytest.mark.parametrize("size,dark", LOOKS)
def test_pictures_of_the_main_states(browser, made, shots, size, dark):
    for state in states.STATES:
        page = state(browser, made, size=size, dark=dark)
        page.screenshot(shots / f"{size[0]}-{'dark' if dark else 'light'}-{state.__name__}.png")
        page.close()


@pytest.mark.parametrize("size,dark", [LOOKS[0], *(pytest.param(*look.values, id=look.id, marks=SHOTS) for look in LOOKS[1:])])
def test_trouble_and_its_pictures(browsers, gateway, console, shots, size, dark):
    console.expect_outage()
    console.expect("status of 410")
    name = f"{size[0]}-{'dark' if dark else 'light'}"
    locked = browsers(signed_in=False).page("/", size=size, dark=dark)
    locked.find("sign-in")
    locked.screenshot(shots / f"{name}-sign-in.png")
    url = gateway.launch_url()
    browser = browsers()
    browser.page(url).find("channel-picker")
    used = browser.page(url, size=size, dark=dark)
    used.screenshot(shots / f"{name}-used-address.png")
    made = states.furnish(gateway)
    page = states.chat_open(browser, made, size=size, dark=dark)
    gateway.stop(signal.SIGKILL)
    page.find("banner")
    page.send("Are you still there?")
    page.screenshot(shots / f"{name}-banner.png")
    assert page.overflowing() == []
    page.wait(lambda: page.status("Are you still there?") == "failed", "the message has failed", 60)
    page.screenshot(shots / f"{name}-failed.png")
    gateway.start()
    page.gone("banner")
    page.becomes("Are you still there?", "delivered", "seen")


def test_phone_has_two_screens(browser, gateway):
    chat, desk = browser.chat("multi", size=PHONE), browser.desk(size=PHONE)
    assert chat.has("segment-open") and not chat.has("composer")
    chat.click("new-thread")
    chat.find("composer")
    assert not chat.has("segment-open"), "only the conversation is on show"
    chat.send("from the phone")
    chat.becomes("from the phone", "delivered")
    desk.counts("desk-thread", 1)
    desk.click("desk-thread")
    desk.shows("from the phone")
    assert not desk.has("segment-open")
    desk.send("to the phone")
    chat.shows("from the phone", "to the phone")
    chat.click("back")
    chat.says("thread-item", "to the phone")
    assert not chat.has("composer") and not chat.has("message")
    chat.click("thread-item")
    chat.shows("from the phone", "to the phone")
    chat.history_back()
    chat.find("thread-item")
    assert not chat.has("composer"), "the browser's Back leads to the list too"
    desk.send("while the list is on show")
    chat.counts("thread-item", 1)
    chat.click("thread-item")
    chat.shows("while the list is on show")
    chat.reload()
    chat.ready()
    chat.shows("while the list is on show")
    chat.click("back")
    chat.find("thread-item")


def test_a_long_message_overflows_nothing(browser, gateway):
    """In windows of all sizes. That the other states fit is looked at with their accessibility, where each is made anyway."""
    made = states.furnish(gateway)
    page = states.chat_open(browser, made)
    unbroken = "https://example.org/" + "x" * 400
    gateway.post(f"/v1/desk/threads/{page.thread}/messages", {"text": unbroken + "\n" + "a word " * 200})
    page.wait(lambda: any("xxx" in text for text in page.texts()), "the long message is shown")
    for size in states.WIDE + states.NARROW:
        page.look(size)
        assert page.overflowing() == [], size


def test_dark_follows_the_system(browser):
    page = browser.chat("multi")
    ground = "return getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number)"
    assert min(page.js(ground)) > 200
    page.look(DESKTOP, dark=True)
    page.wait(lambda: max(page.js(ground)) < 60, "the page is dark")


def test_window_grows_and_shrinks(browser):
    page = browser.chat("multi")
    page.click("new-thread")
    page.send("one")
    assert page.has("thread-item") and page.has("composer")
    page.look(PHONE)
    page.wait(lambda: not page.has("thread-item") and page.has("composer"), "on the phone the open conversation stays")
    page.look(DESKTOP)
    page.wait(lambda: page.has("thread-item") and page.has("composer"), "both again")
    page.shows("one")
