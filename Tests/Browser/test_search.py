"""Searching a session's messages, and what is found. On both pages."""

import pytest
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE


@pytest.fixture
def found(gateway):
    """(session, threads): words in two conversations, one among many lines."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana"}})["id"]
    threads = []
    for name in ("Lamps", "Chairs"):
        thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": name})["id"]
        threads.append(thread)
        gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": f"The <b>shade</b> of {name.lower()} 👍 shade"})
        for number in range(130 if name == "Lamps" else 2):
            gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": f"line {number}"})
    return session, threads


def open_page(browser, side, session, **look):
    if side == "desk":
        return browser.desk(**look)
    page = browser.page(**look)
    page.remember({"parley.session.local.multi": session})
    page.go("/?channel=multi")
    page.ready()
    return page


def look_for(page, words, count):
    """Fills the box until that much is found: the index follows the messages, a moment behind."""

    def there():
        if len(page.items("found")) == count:
            return True
        page.js("all('search')[0].form.requestSubmit()")
        return False

    page.fill("search", words)
    page.wait(there, f"{words} is found {count} times")


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_what_is_found_is_marked_and_opens(browser, gateway, found, side):
    session, threads = found
    page = open_page(browser, side, session)
    look_for(page, "shade", 2)
    assert not page.has("thread-item") and not page.has("desk-thread"), "it stands in place of the list"
    snippets = page.js("return all('snippet').map((one) => [one.textContent, [...one.querySelectorAll('*')].map((part) => part.tagName + part.textContent)])")
    assert snippets == [["The <b>shade</b> of chairs 👍 shade", ["MARKshade", "MARKshade"]], ["The <b>shade</b> of lamps 👍 shade", ["MARKshade", "MARKshade"]]]
    page.click("found", f'[data-thread="{threads[0]}"]')
    target = page.id_of("The <b>shade</b> of lamps 👍 shade")
    page.wait(lambda: 0 <= (page.place_of(target, "message", "transcript") or 9) <= 1, "it is in sight, though far back")
    assert page.thread == threads[0]
    assert page.js("return all('message', '.highlighted').map((one) => one.dataset.id)") == [target]
    if side == "customer":
        assert page.has("load-newer"), "only what is around it was loaded"
    page.click("search-clear")
    page.find("thread-item" if side == "customer" else "desk-thread")


def test_a_reply_that_is_found_opens_its_thread(browser, gateway, found):
    session, threads = found
    parent = gateway.desk_messages(threads[1])[0]["id"]
    reply = gateway.post(f"/v1/sessions/{session}/threads/{threads[1]}/messages", {"text": "a hidden pearl", "parentId": parent, "alsoInThread": False})
    page = open_page(browser, "customer", session)
    look_for(page, "pearl", 1)
    page.click("found")
    page.shows_replies("a hidden pearl")
    assert page.js("return all('panel-message', '.highlighted').map((one) => one.dataset.id)") == [reply["id"]]


def test_nothing_found_and_bad_words_are_told(browser, found):
    page = open_page(browser, "customer", found[0])
    page.fill("search", "nowhere")
    page.says("search-note", "Nothing was found.")
    page.fill("search", '"unclosed AND (')
    page.wait(lambda: page.text("search-note") is not None, "it is told, not broken")
    page.press(Keys.ESCAPE)
    page.gone("search-results")
    page.find("thread-item")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_by_keyboard(browser, found, size):
    page = open_page(browser, "customer", found[0], size=size)
    look_for(page, "shade", 2)
    page.js("all('search')[0].focus()")
    page.press(Keys.ARROW_DOWN)
    assert page.focused() == "found"
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    page.wait(lambda: page.focused() == "message", "the message has the keyboard")
    assert page.thread == found[1][0]
