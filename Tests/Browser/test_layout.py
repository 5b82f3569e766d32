"""Phone and desktop, light and dark; and pictures of the main states for people to look at (PARLEY_SHOTS)."""

import signal

import pytest

import states
from page import DESKTOP, PHONE

LOOKS = [pytest.param(size, dark, id=f"{size[0]}-{'dark' if dark else 'light'}") for size in (DESKTOP, PHONE) for dark in (False, True)]
OVERFLOW = """
const wide = document.documentElement.clientWidth;
return [...document.querySelectorAll('body *')].filter(shown)
  .filter((node) => { const box = node.getBoundingClientRect(); return box.width > 1 && box.height > 1 && (box.right > wide + 1 || box.left < -1); })
  .map((node) => `${node.tagName}.${node.className} ${node.textContent.slice(0, 30)}`);
"""


@pytest.mark.parametrize("size,dark", LOOKS)
def test_pictures_of_the_main_states(browser, gateway, shots, size, dark):
    look = {"size": size, "dark": dark}
    made = states.furnish(gateway)
    page = states.picker(browser, **look)
    page.screenshot(shots / f"{size[0]}-{'dark' if dark else 'light'}-picker.png")
    page.close()
    for state in states.STATES:
        page = state(browser, made, **look)
        page.screenshot(shots / f"{size[0]}-{'dark' if dark else 'light'}-{state.__name__}.png")
        assert page.js(OVERFLOW) == [], f"{state.__name__}: nothing stands out of the window"
        page.close()


@pytest.mark.parametrize("size,dark", LOOKS)
def test_pictures_of_trouble(browsers, gateway, console, shots, size, dark):
    console.expect_outage()
    console.expect("status of 410|favicon")
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
    assert page.js(OVERFLOW) == []
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


@pytest.mark.parametrize("size", [(320, 568), PHONE, (719, 900), (720, 900), (1920, 1080)], ids=str)
def test_nothing_overflows(browser, gateway, size):
    made = states.furnish(gateway)
    unbroken = "https://example.org/" + "x" * 400
    gateway.post(f"/v1/desk/threads/{made[1][1]}/messages", {"text": unbroken + "\n" + "a word " * 200})
    for state in (states.chat_list, states.chat_open, states.desk_list, states.desk_open):
        page = state(browser, made, size=size)
        assert page.js(OVERFLOW) == [], state.__name__
        page.close()
    page = states.chat_open(browser, (made[0], [made[1][0]]), size=size)
    page.go(f"/?channel=multi&thread={made[1][1]}")
    page.ready()
    page.wait(lambda: any("xxx" in text for text in page.texts()), "the long message is shown")
    assert page.js(OVERFLOW) == []


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
