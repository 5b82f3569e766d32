"""A thread with a thousand messages stays usable."""

import time

from states import talk

COUNT = 1000
BOTTOM = "const box = document.querySelector('[data-test=transcript]'); return box.scrollHeight - box.scrollTop - box.clientHeight < 5"


def test_a_thousand_messages(browser, gateway):
    chat = browser.chat("multi")
    chat.click("new-thread")
    chat.send("message 0")
    chat.becomes("message 0", "delivered")
    thread, session = chat.thread, chat.session()
    lines = [("toAgent" if number % 3 else "toClient", f"message {number}") for number in range(1, COUNT)]
    talk(gateway, session, thread, lines)
    expected = [f"message {number}" for number in range(COUNT)]
    # They came in while the page was open: all are there.
    chat.wait(lambda: len(chat.texts()) == COUNT, "all arrived live", 90)
    assert chat.texts() == expected
    assert chat.js(BOTTOM)
    # A fresh page begins with the newest, and reaches the first by going on loading.
    desk = browser.desk()
    desk.click("desk-thread")
    desk.shows(*expected[-50:])
    assert len(desk.texts()) == 50
    loaded = 50
    while loaded < COUNT:
        desk.js("document.querySelector('[data-test=transcript]').scrollTop = 0; document.querySelector('[data-test=load-older]').click()")
        desk.wait(lambda: len(desk.texts()) > loaded, f"more than {loaded} are loaded")
        loaded = len(desk.texts())
    assert desk.texts() == expected
    for page in (chat, desk):
        page.js(
            "window.longest = 0; new PerformanceObserver((list) => {"
            "for (const one of list.getEntries()) window.longest = Math.max(window.longest, one.duration) }).observe({type: 'longtask'})"
        )
        page.js("const box = document.querySelector('[data-test=transcript]'); box.scrollTop = box.scrollHeight")
        page.wait(lambda page=page: page.js(BOTTOM), "at the bottom")
    began = time.monotonic()
    for number in range(10):
        text = f"reply {number}"
        desk.write("composer", text)
        desk.press("\ue007")
        chat.wait(lambda text=text: chat.texts()[-1] == text, f"{text} arrives")
    took = time.monotonic() - began
    longest = [page.js("return window.longest") for page in (chat, desk)]
    print(f"10 messages written and read in {took:.1f} s; the longest task of a page: {max(longest):.0f} ms")
    assert max(longest) < 1000, "a page with a thousand messages must not stand still"
    assert chat.js(BOTTOM) and desk.js(BOTTOM)


def test_many_conversations(browser, gateway):
    chat = browser.chat("multi")
    session = chat.session()
    for number in range(120):
        thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": f"thread {number}"})["id"]
        gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": f"about {number}"})
    chat.wait(lambda: len(chat.items("thread-item")) == 120, "all came live")
    chat.reload()
    chat.ready()
    desk = browser.desk()
    for page, hook in ((chat, "thread-item"), (desk, "desk-thread")):
        while page.has("more-threads"):
            known = len(page.items(hook))
            page.click("more-threads")
            page.wait(lambda page=page, hook=hook, known=known: len(page.items(hook)) > known, "more are shown")
        assert len(page.items(hook)) == 120
        assert len(set(page.items(hook))) == 120
    assert chat.items("thread-item") == desk.items("desk-thread"), "latest activity first, for both"
