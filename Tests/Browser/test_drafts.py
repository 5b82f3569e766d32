"""What was written and not sent survives a reload, in its own conversation and nowhere else."""

import pytest
from selenium.webdriver.common.keys import Keys

from test_chat import begin


def value(page, hook="composer"):
    return page.find(hook).get_attribute("value")


def reload(page, text, hook="composer"):
    page.reload()
    page.ready()
    page.wait(lambda: page.has(hook) and value(page, hook) == text, f"{hook} has {text!r} after the reload")


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_a_draft_survives_a_reload_until_it_is_sent(browser, side):
    chat, desk = begin(browser, "multi")
    page = chat if side == "customer" else desk
    page.write("composer", "half a")
    page.shift(Keys.ENTER)
    page.write("composer", "sentence")
    reload(page, "half a\nsentence")
    assert not page.find("send").get_attribute("disabled")
    page.write("composer", " more" + Keys.ENTER)
    page.becomes("half a\nsentence more", "delivered", "seen")
    reload(page, "")
    page.write("composer", "x" + Keys.BACKSPACE)
    reload(page, "")


def test_each_conversation_and_reply_has_its_own(browser):
    chat, _ = begin(browser, "multi")
    chat.becomes("Hello, is anybody there?", "delivered", "seen")
    first = chat.thread
    chat.write("composer", "for the first")
    chat.open_thread(chat.newest())
    chat.write("panel-composer", "for the reply")
    reload(chat, "for the first")
    assert value(chat, "panel-composer") == "for the reply"
    chat.click("new-thread")
    chat.wait(lambda: chat.thread != first and value(chat) == "", "another conversation has none")
    chat.write("composer", "for the second")
    chat.click("thread-item", f'[data-id="{first}"]')
    chat.wait(lambda: chat.thread == first and value(chat) == "for the first", "the first has its own")
    chat.shows("Hello, is anybody there?")
    chat.act(chat.newest(), "edit")
    chat.write("composer", "!")
    reload(chat, "for the first")


def test_who_signs_out_leaves_no_draft(browser, console):
    console.expect("status of 404|There is no session")  # the page takes back what the session had
    chat, _ = begin(browser, "multi")
    chat.write("composer", "a secret")
    kept = "return Object.keys(localStorage).filter((name) => name.startsWith('parley.draft.')).length"
    chat.wait(lambda: chat.js(kept) == 1, "it is kept")
    chat.click("customer")
    chat.click("customer-sign-out")
    chat.click("sign-out-submit")
    chat.find("channel-picker")
    assert chat.js(kept) == 0


def test_what_could_not_be_sent_becomes_a_draft_again(browser, gateway, console):
    console.expect_outage()
    chat, _ = begin(browser, "multi")
    chat.becomes("Hello, is anybody there?", "delivered", "seen")
    chat.cdp("Network.enable")
    chat.cdp("Network.setBlockedURLs", urls=["*/threads/*/messages"])
    chat.send("not on its way")
    chat.write("composer", "and more")
    reload(chat, "not on its way\nand more")
    chat.cdp("Network.setBlockedURLs", urls=[])
    chat.press(Keys.ENTER) if chat.focused() == "composer" else chat.click("send")
    chat.becomes("not on its way\nand more", "delivered", "seen")
    assert [one["text"] for one in gateway.desk_messages(chat.thread)] == ["Hello, is anybody there?", "not on its way\nand more"]
    reload(chat, "")
