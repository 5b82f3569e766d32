"""Marks and links in messages: shown on both pages, whoever wrote them."""

import pytest
from selenium.webdriver.common.keys import Keys

from test_chat import begin

TEXT = "**Order 4711** is _on its way_: https://shop.example/track?id=4711.\n> Where is it?\n[Opening hours](https://shop.example/hours)\n```\n**raw**\n```"


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_marks_are_shown_on_both_sides(browser, side):
    chat, desk = begin(browser, "multi")
    writes = chat if side == "customer" else desk
    writes.js("const [one] = all('composer'); one.value = arguments[0]; one.dispatchEvent(new Event('input'))", TEXT)
    writes.click("send")
    for page in (chat, desk):
        page.wait(lambda page=page: len(page.texts()) == 2, "it is there")
        shown = page.js("return [...all('message').at(-1).querySelectorAll('.text *')].map((one) => [one.tagName.toLowerCase(), one.textContent])")
        assert shown == [
            ["strong", "Order 4711"],
            ["em", "on its way"],
            ["a", "https://shop.example/track?id=4711"],
            ["blockquote", "Where is it?"],
            ["a", "Opening hours"],
            ["pre", "**raw**"],
        ]
        links = page.js("return all('link').map((one) => [one.href, one.title, one.target, one.rel])")
        away = ["_blank", "noopener noreferrer nofollow"]
        assert links == [[address, address, *away] for address in ("https://shop.example/track?id=4711", "https://shop.example/hours")]


def test_an_edit_begins_with_what_was_written(browser):
    chat, _ = begin(browser, "multi")
    chat.write("composer", "**bold** https://shop.example/" + Keys.ENTER)
    chat.becomes("bold https://shop.example/", "delivered", "seen")
    chat.act(chat.newest(), "edit")
    assert chat.find("composer").get_attribute("value") == "**bold** https://shop.example/"
    chat.fill("composer", "`code`")
    chat.press(Keys.ENTER)
    chat.wait(lambda: chat.js("return all('message').at(-1).querySelector('.text').innerHTML") == "<code>code</code>", "the marks follow the edit")


def test_a_selection_survives_news(browser, gateway):
    """What did not change is not made anew."""
    chat, _ = begin(browser, "multi")
    messages = f"/v1/desk/threads/{chat.thread}/messages"
    gateway.post(messages, {"text": "a **marked** text"})
    chat.shows("a marked text")
    chat.js("getSelection().selectAllChildren(all('message').at(-1).querySelector('strong'))")
    gateway.post(messages, {"text": "news"})
    chat.shows("a marked text", "news")
    assert chat.js("return String(getSelection())") == "marked"
