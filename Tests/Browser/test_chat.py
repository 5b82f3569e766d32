"""A chat from both pages, on both kinds of channel."""

import os
import signal

import pytest
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE

CHANNELS = ["single", "multi"]


def begin(browser, channel, text="Hello, is anybody there?"):
    """Customer's and desk's page in two windows, the customer's first message on both, the desk's conversation open."""
    chat, desk = browser.chat(channel), browser.desk()
    if channel == "multi":
        chat.click("new-thread")
    chat.send(text)
    desk.click("desk-thread", f'[data-id="{chat.thread}"]')
    desk.shows(text)
    return chat, desk


@pytest.mark.parametrize("channel", CHANNELS)
def test_both_ways(browser, gateway, channel):
    chat, desk = begin(browser, channel)
    desk.send("Yes, how can I help?")
    chat.shows("Hello, is anybody there?", "Yes, how can I help?")
    for number in range(3):
        chat.send(f"question {number}")
        desk.shows(f"question {number}")
        desk.send(f"answer {number}")
        chat.shows(f"question {number}", f"answer {number}")
    assert chat.texts() == desk.texts() == [one["text"] for one in gateway.desk_messages(chat.thread)]
    assert [one[0] for one in chat.messages()] == ["toAgent", "toClient"] * 4
    if channel == "single":
        assert not chat.has("new-thread") and not chat.has("rename") and not chat.has("archive")


def test_channel_is_picked_and_remembered(browser):
    page = browser.page("/")
    page.click("channel-multi")
    page.ready()
    page.click("new-thread")
    page.send("one")
    page.becomes("one", "delivered")
    session = page.session()
    page.click("switch-channel")
    page.says("channel-multi", "Continue")
    page.click("channel-single")
    page.wait(lambda: page.has("composer") and page.texts() == [], "the other channel's conversation is open, and empty")
    page.click("switch-channel")
    page.click("channel-multi")
    page.says("thread-item", "one")
    assert page.session() == session


def test_the_channel_that_is_left_takes_nothing_any_more(browser, gateway):
    """The choice stays until the other channel is there, however long the gateway takes."""
    page = browser.chat("multi")
    page.click("new-thread")
    page.send("for the many")
    page.becomes("for the many", "delivered")
    page.click("switch-channel")
    page.find("channel-single")
    gateway.process.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, gateway.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)  # a thread that still runs could answer
    try:
        page.click("channel-single")
        page.find("channel-single", "[aria-busy=true]")
        assert not page.has("composer") and not page.has("message")
        page.press("to whom?", Keys.ENTER)
    finally:
        gateway.process.send_signal(signal.SIGCONT)
    page.gone("channel-picker")
    page.wait(lambda: page.focused() == "composer", "the other channel's conversation can be written in")
    assert page.texts() == []
    page.send("for the one")
    page.becomes("for the one", "delivered")
    assert sorted(one["lastMessage"]["text"] for one in gateway.get("/v1/desk/threads")["items"]) == ["for the many", "for the one"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_is_shown_one_clear_step(browser, size):
    page = browser.chat("multi", size=size)
    page.click("start")
    page.send("hello")
    page.becomes("hello", "delivered")
    page.press(Keys.ESCAPE)
    page.find("thread-item")
    assert len(page.items("thread-item")) == 1 and not page.has("start")


@pytest.mark.parametrize("channel", CHANNELS)
def test_unread_and_seen(browser, gateway, channel):
    chat, desk = browser.chat(channel), browser.desk()
    if channel == "multi":
        chat.click("new-thread")
    chat.send("one")
    chat.send("two")
    thread = chat.thread
    desk.counts("desk-thread", 2)
    chat.becomes("two", "delivered")
    assert desk.js("return document.title").startswith("(2)")
    desk.click("desk-thread")
    desk.counts("desk-thread", 0)
    chat.becomes("one", "seen")
    chat.becomes("two", "seen")
    assert chat.js("return all('message').map((one) => one.querySelector('[data-test=mark]').getAttribute('aria-label'))") == ["Seen", "Seen"]
    # The customer looks elsewhere: what comes is unread until he is back.
    chat.look_away()
    desk.send("three")
    chat.shows("three")
    chat.counts("thread-item", 1)
    assert desk.status("three") == "delivered"
    desk.send("four")
    chat.counts("thread-item", 2)
    chat.look_back()
    chat.counts("thread-item", 0)
    desk.becomes("three", "seen")
    desk.becomes("four", "seen")
    assert gateway.get(f"/v1/desk/threads/{thread}")["deskUnreadCount"] == 0


@pytest.mark.parametrize("channel", CHANNELS)
def test_typing(browser, channel):
    chat, desk = begin(browser, channel)
    chat.write("composer", "I am wri")
    desk.says("typing", "typing")
    desk.wait(lambda: desk.text("typing") == "", "the desk's typing line is empty again", 15)
    chat.write("composer", "ting" + Keys.ENTER)
    desk.shows("I am writing")
    desk.wait(lambda: desk.text("typing") == "", "nobody types after a send")
    desk.write("composer", "so am I")
    chat.says("typing", "typing")
    desk.press(Keys.ENTER)
    chat.shows("so am I")
    chat.wait(lambda: chat.text("typing") == "", "nobody types after the answer")


def test_rename_archive_and_segments(browser):
    chat, desk = begin(browser, "multi")
    thread = chat.thread
    chat.click("rename")
    chat.fill("field-name", "Broken lamp")
    chat.click("rename-submit")
    chat.says("conversation-title", "Broken lamp")
    chat.says("thread-item", "Broken lamp")
    desk.says("conversation-subtitle", "Broken lamp")
    chat.click("archive")
    chat.click("archive-cancel")
    assert not chat.has("closed-note")
    chat.click("archive")
    chat.click("archive-submit")
    chat.says("closed-note", "archived")
    assert not chat.has("composer") and not chat.has("rename")
    desk.find("closed-note")
    chat.gone("thread-item", f'[data-id="{thread}"]')
    chat.click("segment-archived")
    chat.find("segment-archived", "[aria-pressed=true]")
    chat.click("thread-item", f'[data-id="{thread}"][data-state="closed"]')
    chat.shows("Hello, is anybody there?")
    chat.click("segment-open")
    chat.find("list-empty")
    chat.click("new-thread")
    chat.send("another")
    assert chat.thread != thread
    desk.click("segment-closed")
    desk.find("desk-thread", f'[data-id="{thread}"]')


def test_desk_assigns_and_closes(browser):
    chat, desk = begin(browser, "multi")
    desk.click("agent")
    desk.fill("field-name", "Mara")
    desk.press(Keys.ENTER)
    desk.says("agent", "Mara")
    desk.click("assign")
    desk.says("assigned", "You")
    desk.send("I take care of it")
    chat.shows("I take care of it")
    assert "Mara" in chat.js("return document.querySelector('.conversation').textContent")
    desk.click("close")
    chat.find("closed-note")
    desk.find("closed-note")
    desk.click("reopen")
    chat.find("composer")


def test_customer_gives_a_name(browser):
    chat, desk = begin(browser, "multi")
    chat.click("customer")
    chat.write("field-firstName", "Jana")
    chat.write("field-lastName", "Nováková" + Keys.ENTER)
    chat.says("customer", "Jana Nováková")
    desk.says("conversation-title", "Jana Nováková")
    desk.says("desk-thread", "Jana Nováková")


def test_two_conversations_have_their_own_counts(browser, gateway):
    chat = browser.chat("multi")
    threads = []
    for name in ("first", "second"):
        chat.click("new-thread")
        chat.wait(lambda: chat.texts() == [], "the new conversation is open")
        chat.send(name)
        chat.becomes(name, "delivered")
        threads.append(chat.thread)
    first, second = threads
    for number in range(3):
        gateway.post(f"/v1/desk/threads/{first}/messages", {"text": f"for the first {number}"})
    gateway.post(f"/v1/desk/threads/{second}/messages", {"text": "for the second"})
    chat.shows("second", "for the second")
    chat.counts("thread-item", 3, f'[data-id="{first}"]')
    chat.counts("thread-item", 0, f'[data-id="{second}"]')
    chat.click("thread-item", f'[data-id="{first}"]')
    chat.shows("first", "for the first 0", "for the first 1", "for the first 2")
    chat.counts("thread-item", 0, f'[data-id="{first}"]')
    assert chat.items("thread-item") == [second, first], "latest activity first"


NASTY = [
    "<script>window.hacked = 1</script>",
    "<img src=x onerror='window.hacked = 1'>",
    "<b>bold</b> &amp; &lt;i&gt;",
    "\"'><svg/onload=window.hacked=1>",
    "javascript:window.hacked=1",
    "{{7*7}} ${7*7}",
    "مرحبا \u202eabc\u202c שלום 👩‍👩‍👧‍👦 e\u0301",
]


@pytest.mark.parametrize("channel", CHANNELS)
def test_markup_is_text(browser, gateway, channel):
    chat, desk = begin(browser, channel)
    session = chat.session(channel)
    for number, text in enumerate(NASTY):
        side = f"/v1/sessions/{session}/threads" if number % 2 else "/v1/desk/threads"
        gateway.post(f"{side}/{chat.thread}/messages", {"text": text})
    for page in (chat, desk):
        page.shows(*NASTY)
        assert page.js("return document.querySelectorAll('.text *, .thread-preview *').length") == 0
        assert page.js("return window.hacked === undefined")
    if channel == "multi":
        chat.click("rename")
        chat.fill("field-name", NASTY[1])
        chat.click("rename-submit")
        chat.says("conversation-title", NASTY[1])
        desk.says("conversation-subtitle", NASTY[1])
    gateway.api("PUT", f"/v1/sessions/{session}/customer", {"firstName": NASTY[1], "lastName": NASTY[0]})
    desk.says("conversation-title", NASTY[1])
    assert desk.js("return window.hacked === undefined") and chat.js("return window.hacked === undefined")


def test_several_lines(browser):
    chat, desk = begin(browser, "multi")
    chat.write("composer", "one")
    chat.shift(Keys.ENTER)
    chat.write("composer", "two" + Keys.ENTER)
    chat.shows("one\ntwo")
    desk.shows("one\ntwo")
    assert chat.js("const [one] = all('message').slice(-1); return one.querySelector('.text').getBoundingClientRect().height") > 40
    before = len(chat.texts())
    chat.write("composer", "   ")
    chat.press(Keys.ENTER)
    chat.js("document.querySelector('[data-test=composer]').value = ''")
    chat.send("after nothing")
    assert len(chat.texts()) == before + 1, "blanks are not sent"


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_edit_and_delete(browser, gateway, side):
    chat, desk = begin(browser, "multi")
    mine, other = (chat, desk) if side == "customer" else (desk, chat)
    mine.send("tpyo")
    other.shows("tpyo")
    mine.wait(lambda: mine.status("tpyo") in ("delivered", "seen"), "it is sent")
    message = mine.newest()
    mine.act(message, "edit")
    value = lambda: mine.find("composer").get_attribute("value")  # noqa: E731
    outlined = "return all('message').filter((one) => getComputedStyle(one.querySelector('.bubble')).outlineStyle !== 'none').map((one) => one.dataset.id)"
    assert value() == "tpyo"
    assert mine.js(outlined) == [message], "it can be seen which one is edited"
    mine.press(Keys.ESCAPE)
    mine.wait(lambda: value() == "", "Escape ends the edit")
    assert mine.js(outlined) == []
    mine.act(message, "edit")
    mine.fill("composer", "typo")
    mine.press(Keys.ENTER)
    for page in (mine, other):
        page.shows("Hello, is anybody there?", "typo")
    mine.act(message, "remove")
    mine.click("delete-cancel")
    assert "typo" in mine.texts()
    mine.act(message, "remove")
    mine.click("delete-submit")
    for page in (mine, other):
        page.wait(lambda page=page: "typo" not in page.texts(), "it is gone")
    assert [one["text"] for one in gateway.desk_messages(chat.thread)] == ["Hello, is anybody there?"]
    # A preview must not keep what was taken back.
    for page, hook in ((chat, "thread-item"), (desk, "desk-thread")):
        page.wait(lambda page=page, hook=hook: "typo" not in page.text(hook), "the preview has forgotten it")
        page.says(hook, "Hello, is anybody")


def test_an_edited_message_says_so(browser):
    chat, desk = begin(browser, "multi")
    chat.act(chat.newest(), "edit")
    chat.fill("composer", "Is anybody there?")
    chat.press(Keys.ENTER)
    for page in (chat, desk):
        page.shows("Is anybody there?")
        page.wait(lambda page=page: "edited" in page.js("return all('message').at(-1).innerText"), "it says that it was edited")
        page.reload()
        page.ready()
        page.wait(lambda page=page: page.has("message") and "edited" in page.js("return all('message').at(-1).innerText"), "and still does so after a reload")


def test_nobody_edits_what_others_wrote(browser):
    chat, desk = begin(browser, "multi")
    desk.send("from the desk")
    chat.shows("from the desk")
    for page, own in ((chat, "toAgent"), (desk, "toClient")):
        allowed = page.js(
            "return all('message').filter((one) => [...one.querySelectorAll('[data-test=edit],[data-test=remove]')].some((b) => !b.hidden))"
            ".map((one) => one.dataset.direction)"
        )
        assert set(allowed) == {own}


def fill(gateway, session, thread, count, first=0):
    for number in range(first, first + count):
        side = f"/v1/sessions/{session}/threads" if number % 3 else "/v1/desk/threads"
        gateway.post(f"{side}/{thread}/messages", {"text": f"line {number}"})


@pytest.mark.parametrize("how", ["button", "scroll"])
def test_older_messages(browser, gateway, how):
    chat, desk = begin(browser, "multi", "line 0")
    fill(gateway, chat.session(), chat.thread, 129, 1)
    expected = [f"line {number}" for number in range(130)]
    for page in (chat, desk):
        page.shows(*expected[-30:])
        page.reload()
        page.ready()
        if page is desk:
            page.click("desk-thread")
        page.shows(*expected[80:])
        assert len(page.texts()) == 50
        for loaded in (100, 130):
            if how == "button":
                page.find("load-older")
                page.js("document.querySelector('[data-test=load-older]').click()")
            else:
                page.js("const box = document.querySelector('[data-test=transcript]'); box.scrollTop = 0;")
            page.wait(lambda page=page, loaded=loaded: len(page.texts()) == loaded, f"{loaded} messages are loaded")
            assert page.texts() == expected[-loaded:]
        page.gone("load-older")


def test_older_messages_leave_the_reader_where_he_is(browser, gateway):
    chat, _ = begin(browser, "multi", "line 0")
    fill(gateway, chat.session(), chat.thread, 119, 1)
    chat.reload()
    chat.ready()
    chat.shows("line 119")
    chat.js("document.querySelector('[data-test=transcript]').scrollTop = 30")
    chat.wait(lambda: len(chat.texts()) > 50, "older ones came")
    where = "const box = document.querySelector('[data-test=transcript]'); const one = all('message').find((m) => m.querySelector('.text').textContent === 'line 70'); return one.getBoundingClientRect().top - box.getBoundingClientRect().top"
    at = chat.js(where)
    assert 0 < at < 400, f"'line 70' was the first one on show, and is now at {at}"
    gateway.post(f"/v1/desk/threads/{chat.thread}/messages", {"text": "news"})
    chat.says("new-messages", "1 new message")
    assert abs(chat.js(where) - at) < 3, "what comes below moves nothing"
    chat.click("new-messages")
    chat.wait(lambda: chat.js("const box = document.querySelector('[data-test=transcript]'); return box.scrollHeight - box.scrollTop - box.clientHeight < 5"), "at the bottom")
    chat.gone("new-messages")
