"""Everything by keyboard alone."""

import pytest
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE

FOCUS_SEEN = """
const node = document.activeElement;
const style = getComputedStyle(node);
const around = node.closest('.composer');
return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0 || (around && getComputedStyle(around).boxShadow !== 'none');
"""


def test_a_chat_by_keyboard(browser, gateway):
    page = browser.page("/")
    page.find("channel-picker")
    page.tab_to("channel-multi")
    assert page.js(FOCUS_SEEN)
    page.press(Keys.ENTER)
    page.ready()
    for name in ("one", "two", "three"):
        page.tab_to("new-thread")
        page.press(Keys.ENTER)
        page.wait(lambda: page.focused() == "composer" and page.texts() == [], "the composer has the keyboard")
        assert page.js(FOCUS_SEEN)
        page.press(name, Keys.ENTER)
        page.becomes(name, "delivered")
        assert page.focused() == "composer"
    # Escape: to the list, on the open conversation; arrows walk; Enter opens.
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused() == "thread-item", "Escape leads to the list")
    assert page.js("return document.activeElement.hasAttribute('aria-current')")
    assert page.js(FOCUS_SEEN)
    page.press(Keys.END)
    assert "one" in page.js("return document.activeElement.textContent")
    page.press(Keys.ARROW_UP)
    assert "two" in page.js("return document.activeElement.textContent")
    page.press(Keys.HOME)
    page.press(Keys.ARROW_DOWN)
    page.press(Keys.ENTER)
    page.shows("two")
    page.wait(lambda: page.focused() == "composer", "an opened conversation can be written in at once")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_has_chosen_a_channel_can_start_at_once(browser, size):
    page = browser.page("/", size=size)
    page.find("channel-picker")
    page.tab_to("channel-multi")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused() == "start", "the button that starts a conversation has the keyboard")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused() == "composer", "the composer has the keyboard")
    page.press("one", Keys.ENTER)
    page.becomes("one", "delivered")
    page.click("back") if size == PHONE else None
    page.click("switch-channel")
    page.click("channel-multi")
    page.gone("channel-picker")
    page.wait(lambda: page.focused() == "thread-item", "who comes back is in the list")


def test_every_control_is_reached(browser, gateway):
    chat, desk = browser.chat("multi"), browser.desk()
    chat.click("new-thread")
    chat.send("one")
    chat.becomes("one", "delivered")
    for page in (chat, desk):
        if page is desk:
            desk.click("desk-thread")
            desk.shows("one", "x")
        page.send("x")
        page.js("document.activeElement.blur(); window.scrollTo(0, 0)")
        reached = set()
        for _ in range(50):
            page.press(Keys.TAB)
            hook = page.focused()
            if page.js("return document.activeElement !== document.body"):
                assert page.js(FOCUS_SEEN), f"the focus on {hook} can be seen"
            reached.add(hook)
        controls = page.js(
            "return [...document.querySelectorAll('button, input, select, textarea, a[href]')].filter(shown)"
            ".filter((node) => !node.disabled && node.tabIndex >= 0 && getComputedStyle(node).visibility === 'visible')"
            ".map((node) => node.dataset.test)"
        )
        assert set(controls) - reached == set()


def test_dialogs_by_keyboard(browser):
    page = browser.chat("multi")
    page.click("new-thread")
    page.send("one")
    page.becomes("one", "delivered")
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused() == "thread-item", "in the list")
    page.tab_to("rename")
    page.press(Keys.ENTER)
    page.find("rename-dialog")
    assert page.focused() == "field-name", "the first field has the keyboard"
    for _ in range(8):  # the dialog is modal: Tab stays in it (or in the browser's own controls)
        page.press(Keys.TAB)
        assert page.js("return document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    page.press(Keys.ESCAPE)
    page.gone("rename-dialog")
    assert page.focused() == "rename", "the focus is back where it came from"
    page.press(Keys.ENTER)
    page.find("rename-dialog")
    page.press("A name", Keys.ENTER)
    page.gone("rename-dialog")
    page.says("conversation-title", "A name")
    assert page.focused() == "rename"


def test_edit_and_delete_by_keyboard(browser):
    page = browser.chat("multi")
    page.click("new-thread")
    for text in ("one", "two"):
        page.send(text)
        page.becomes(text, "delivered")
    page.tab_to("message", back=True)
    assert "two" in page.js("return document.activeElement.querySelector('.text').textContent"), "Tab enters at the newest"
    page.press(Keys.ARROW_UP)
    assert "one" in page.js("return document.activeElement.querySelector('.text').textContent")
    page.tab_to("edit")
    assert page.js("return getComputedStyle(document.activeElement.parentElement).opacity") == "1"
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused() == "composer", "the composer has the text")
    page.press(Keys.END, "!", Keys.ENTER)
    page.wait(lambda: page.texts() == ["one!", "two"], "it is edited")
    page.tab_to("message", back=True)
    page.tab_to("remove")
    page.press(Keys.ENTER)
    page.find("delete-dialog")
    page.tab_to("delete-submit")
    page.press(Keys.ENTER)
    page.wait(lambda: len(page.texts()) == 1, "it is gone")
    page.wait(lambda: page.focused() == "message", "the neighbour has the keyboard")
    [left] = page.texts()
    assert page.js("return document.activeElement.querySelector('.text').textContent") == left
    page.tab_to("remove")
    page.press(Keys.ENTER)
    page.find("delete-dialog")
    page.press(Keys.ESCAPE)
    page.gone("delete-dialog")
    assert page.focused() == "remove", "the focus is back where it came from"
    page.press(Keys.ENTER)
    page.tab_to("delete-submit")
    page.press(Keys.ENTER)
    page.wait(lambda: page.texts() == [], "the last one is gone too")
    page.wait(lambda: page.focused() == "composer", "with no message left the composer has the keyboard")


def test_a_message_that_arrives_does_not_take_a_dialog_s_way_back(browser, gateway):
    page = browser.chat("multi")
    page.click("new-thread")
    page.send("one")
    page.becomes("one", "delivered")
    page.tab_to("message", back=True)
    page.tab_to("remove")
    page.press(Keys.ENTER)
    page.find("delete-dialog")
    gateway.post(f"/v1/desk/threads/{page.thread}/messages", {"text": "two"})
    page.shows("one", "two")
    page.press(Keys.ESCAPE)
    page.gone("delete-dialog")
    page.wait(lambda: page.js("return document.activeElement.closest('.message')?.querySelector('.text').textContent") == "one", "still on the message")


def test_phone_by_keyboard(browser):
    page = browser.chat("multi", size=PHONE)
    page.tab_to("new-thread")
    page.press(Keys.ENTER)
    page.wait(lambda: page.focused() == "composer", "the composer has the keyboard")
    page.press("one", Keys.ENTER)
    page.becomes("one", "delivered")
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused() == "thread-item", "Escape leads to the list")
    assert not page.has("composer")
    page.press(Keys.ENTER)
    page.shows("one")
