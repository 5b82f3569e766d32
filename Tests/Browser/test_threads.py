"""Reply threads: the panel beside a conversation, how one gets there, and what it shows. On both pages."""

import pytest
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE
from states import png

AGENT = {"id": "mara", "name": "Mara Lind"}


class Talk:
    """A conversation of a session, written from outside the pages."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana"}})["id"]
        self.thread = gateway.post(f"/v1/sessions/{self.session}/threads", {"name": "Broken lamp"})["id"]
        self.write("My lamp does not light up.")  # the desk sees a thread from its first message on
        self.parent = self.write("Which lamp is it?", desk=True)

    def write(self, text, desk=False, agent=AGENT, **more):
        side = "/v1/desk" if desk else f"/v1/sessions/{self.session}"
        body = {**({"text": text} if text else {}), **({"agent": agent} if desk else {}), **more}
        return self.gateway.post(f"{side}/threads/{self.thread}/messages", body)

    def reply(self, text, parent=None, **more):
        return self.write(text, parentId=(parent or self.parent)["id"], **more)

    def replies(self, count, first=0, **more):
        return [self.reply(f"reply {number}", desk=number % 3 == 0, **more) for number in range(first, first + count)]

    def open(self, browser, side, query="", **look):
        if side == "desk":
            page = browser.page(f"/desk?thread={self.thread}{query}", **look)
        else:
            page = browser.page(**look)
            page.remember({"parley.session.local.multi": self.session})
            page.go(f"/?channel=multi&thread={self.thread}{query}")
        page.ready()
        page.wait(lambda: page.has("message") or page.has("panel"), "the conversation is open")
        return page


@pytest.fixture
def talk(gateway):
    return Talk(gateway)


SIDES = pytest.mark.parametrize("side", ["customer", "desk"])
COUNT = "const [one] = all('message', `[data-id='${arguments[0]}']`); const line = one?.querySelector('[data-test=reply-count]'); return line?.checkVisibility() ? line.querySelector('[data-test=reply-count-text]').textContent : null"


def says_count(page, message, text):
    page.wait(lambda: page.js(COUNT, message["id"]) == text, f"the message says {text}")


@SIDES
def test_reply_in_thread_opens_at_the_end(browser, talk, side):
    talk.replies(60, alsoInThread=False)
    page = talk.open(browser, side)
    page.open_thread(talk.parent["id"])
    page.shows_replies("reply 58", "reply 59")
    page.wait(lambda: page.focused() == "panel-composer", "one can write at once")
    last = page.id_of("reply 59", "panel-message")
    page.wait(lambda: 0.5 < page.place_of(last) < 1, "the last reply is in sight")
    assert page.text("panel-title") == "Thread"
    assert page.text("panel-count") == "60 replies"
    page.says("panel-parent", "Which lamp is it?")
    page.says("panel-parent", "Mara Lind")
    assert page.js("return all('panel-parent')[0].querySelector('time').checkVisibility()")
    page.reply("and mine")
    page.shows_replies("reply 59", "and mine")
    page.says("panel-count", "61 replies")


@SIDES
def test_reply_count_opens_at_the_first(browser, talk, side):
    talk.replies(60, alsoInThread=False)
    page = talk.open(browser, side)
    says_count(page, talk.parent, "60 replies")
    page.click("reply-count")
    first = page.id_of("reply 0", "panel-message")
    page.wait(lambda: 0 < (page.place_of(first) or 2) < 0.5, "the first reply is on top")
    assert page.replies()[0] == "reply 0"
    # From there to the last one by scrolling.
    for _ in range(20):
        if page.replies()[-1] == "reply 59":
            break
        page.js("const [box] = all('panel-transcript'); box.scrollTop = box.scrollHeight")
    page.shows_replies("reply 58", "reply 59")
    assert page.replies() == [f"reply {number}" for number in range(60)]


@SIDES
def test_a_quotation_opens_at_that_reply(browser, talk, side):
    made = talk.replies(30, alsoInThread=False)
    quoted = talk.reply("this one is in the conversation")
    made += talk.replies(30, first=30, alsoInThread=False)
    page = talk.open(browser, side)
    page.shows("Which lamp is it?", "this one is in the conversation")
    page.wait(lambda: "Mara Lind: Which lamp is it?" in (page.text("quote") or ""), "the reply quotes what it answers")
    page.click("quote")
    page.find("panel")
    page.wait(lambda: 0.3 < (page.place_of(quoted["id"]) or 9) < 0.7, "that reply is in the middle")
    assert page.js("return all('panel-message', '.highlighted').map((one) => one.dataset.id)") == [quoted["id"]]
    assert "reply 29" in page.replies() and "reply 30" in page.replies()


@SIDES
@pytest.mark.parametrize("start", ["first", "middle", "newest"])
def test_a_link_opens_the_panel(browser, talk, side, start):
    made = talk.replies(60, alsoInThread=False)
    middle = made[30]
    from_ = {"first": "&from=0", "middle": f"&from={timestamp(middle['createdAt'])}", "newest": ""}[start]
    page = talk.open(browser, side, f"&message={talk.parent['id']}{from_}")
    page.find("panel")
    page.says("panel-parent", "Which lamp is it?")
    target = {"first": made[0], "middle": middle, "newest": made[-1]}[start]
    low, high = {"first": (0, 0.4), "middle": (0.3, 0.7), "newest": (0.5, 1)}[start]
    page.wait(lambda: low < (page.place_of(target["id"]) or 9) < high, f"{start} is where it belongs")
    assert page.js("return all('panel-message', '.highlighted').length") == (1 if start == "middle" else 0)


def timestamp(time):
    from datetime import datetime

    return round(datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp() * 1000)


def test_label_texts(browser, talk):
    """At 0, 1, 2, 99 and 100 replies: below the message, and in the panel."""
    page = talk.open(browser, "customer")
    assert page.js(COUNT, talk.parent["id"]) is None
    page.open_thread(talk.parent["id"])
    assert not page.has("panel-count")
    placeholder = "return all('panel-composer')[0].placeholder"
    assert page.js(placeholder) == "Reply in thread"
    done = 0
    for count, label, full in [(1, "1 reply", "1 reply"), (2, "2 replies", "2 replies"), (99, "99 replies", "99 replies"), (100, "99+ replies", "100 replies")]:
        talk.replies(count - done, first=done, alsoInThread=False)
        done = count
        says_count(page, talk.parent, label)
        page.says("panel-count", full)
        assert page.text("panel-count") == full
        assert page.js(placeholder) == "Reply to thread"
    last = talk.gateway.get(f"/v1/sessions/{talk.session}/threads/{talk.thread}/messages/{talk.parent['id']}/replies")["items"][-1]
    assert last["text"] == "reply 99"
    page.open_thread(talk.parent["id"])


def test_up_to_five_authors_are_shown(browser, talk):
    for number in range(7):
        talk.reply(f"from {number}", desk=True, agent={"id": f"agent-{number}", "name": f"Agent {number}"}, alsoInThread=False)
        if number in (0, 4, 6):
            page = talk.open(browser, "customer")
            page.wait(lambda: len(page.items("reply-author")) == min(5, number + 1), "an image for each author, up to five")
            page.close()


@SIDES
def test_the_menu_offers_it_on_messages_but_not_on_replies(browser, talk, side):
    reply = talk.reply("a reply in the conversation")
    page = talk.open(browser, side)
    page.shows("Which lamp is it?", "a reply in the conversation")
    menu = "return [...all('message', `[data-id='${arguments[0]}']`)[0].querySelectorAll('.actions button:not([hidden])')].map((one) => one.getAttribute('aria-label'))"
    assert "Reply in thread" in page.js(menu, talk.parent["id"])
    assert "Reply in thread" not in page.js(menu, reply["id"])
    page.click("quote")
    page.find("panel-message")
    assert "Reply in thread" not in page.js("return [...all('panel-message')[0].querySelectorAll('button:not([hidden])')].map((one) => one.getAttribute('aria-label'))")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_conversation_s_name_leads_back_to_the_message(browser, talk, size):
    for number in range(80):
        talk.write(f"line {number}")
    talk.replies(3, alsoInThread=False)
    page = talk.open(browser, "customer", f"&message={talk.parent['id']}", size=size)
    page.shows_replies("reply 2")
    assert page.text("panel-name") == "Broken lamp"
    page.click("panel-name")
    page.wait(lambda: 0.2 < (page.place_of(talk.parent["id"], "message", "transcript") or 9) < 0.8, "the message is in sight")
    assert page.js("return all('message', '.highlighted').map((one) => one.dataset.id)") == [talk.parent["id"]]
    assert page.has("panel") == (size == DESKTOP)


@SIDES
def test_the_parent_is_removed_while_the_panel_is_open(browser, talk, side, console):
    console.expect("status of 404")  # the panel may still ask for its replies
    lone = talk.write("a message without replies", desk=True)
    page = talk.open(browser, side)
    page.open_thread(lone["id"])
    talk.gateway.api("DELETE", f"/v1/desk/threads/{talk.thread}/messages/{lone['id']}")
    page.gone("panel")
    page.says("notes", "The message was removed")
    assert "message=" not in page.js("return location.search")


def test_a_link_to_a_parent_that_is_gone_says_so(browser, talk, console):
    console.expect("status of 404")
    page = talk.open(browser, "customer", "&message=nothing")
    page.says("notes", "The message was removed")
    page.gone("panel")


@SIDES
def test_scrolled_up_it_holds_and_says_new_replies(browser, talk, side):
    talk.replies(60, alsoInThread=False)
    page = talk.open(browser, side, f"&message={talk.parent['id']}&from=0")
    first = page.id_of("reply 0", "panel-message")
    page.wait(lambda: 0 < (page.place_of(first) or 9) < 0.5, "the first reply is on top")
    at = page.place_of(first)
    talk.reply("news", desk=side == "customer", alsoInThread=False)
    page.says("new-replies", "1 new reply")
    talk.reply("more news", desk=side == "customer", alsoInThread=False)
    page.says("new-replies", "2 new replies")
    assert abs(page.place_of(first) - at) < 0.01
    page.click("new-replies")
    page.shows_replies("news", "more news")
    page.gone("new-replies")
    talk.reply("while at the bottom", desk=side == "customer", alsoInThread=False)
    page.shows_replies("more news", "while at the bottom")
    bottom = "const [box] = all('panel-transcript'); return box.scrollHeight - box.scrollTop - box.clientHeight"
    page.wait(lambda: page.js(bottom) < 5, "it follows")
    assert not page.has("new-replies")


def test_own_replies_stand_on_the_right_grouped_by_author(browser, talk):
    for desk, text in [(True, "one"), (True, "two"), (False, "three"), (False, "four")]:
        talk.reply(text, desk=desk, alsoInThread=False)
    page = talk.open(browser, "customer", f"&message={talk.parent['id']}")
    page.shows_replies("one", "two", "three", "four")
    shape = page.js(
        "return all('panel-message').map((one) => [one.classList.contains('own'), one.classList.contains('first'), one.classList.contains('last'), !!one.querySelector('.author').checkVisibility()])"
    )
    assert shape == [[False, True, False, True], [False, False, True, False], [True, True, False, False], [True, False, True, False]]
    left, right = page.js(
        "const box = all('panel-transcript')[0].getBoundingClientRect(); const bubbles = all('panel-message').map((one) => one.querySelector('.bubble').getBoundingClientRect());"
        "return [bubbles[0].left - box.left, box.right - bubbles[2].right]"
    )
    assert left < 40 and right < 40
    colours = page.js("return all('panel-message').map((one) => getComputedStyle(one.querySelector('.bubble')).backgroundColor)")
    assert colours[0] != colours[2]
    assert page.js("return all('panel-day').map((one) => one.textContent)") == ["Today"]


def test_replies_reach_the_other_page_and_the_conversation(browser, talk):
    chat, desk = talk.open(browser, "customer"), talk.open(browser, "desk")
    chat.open_thread(talk.parent["id"])
    desk.open_thread(talk.parent["id"])
    chat.reply("the one with the green shade")
    desk.shows_replies("the one with the green shade")
    desk.reply("then I know")
    chat.shows_replies("the one with the green shade", "then I know")
    for page in (chat, desk):
        page.shows("Which lamp is it?", "the one with the green shade", "then I know")
        says_count(page, talk.parent, "2 replies")
    reply = chat.id_of("the one with the green shade", "panel-message")
    script = "return all('panel-message', arguments[0])[0].querySelector(`[data-test=${arguments[1]}]`)"
    at = f'[data-id="{reply}"]'
    chat.hover("panel-message", at)
    chat.js(script, at, "edit").click()
    chat.fill("panel-composer", "the one with the blue shade")
    chat.press(Keys.ENTER)
    desk.shows_replies("the one with the blue shade", "then I know")
    chat.hover("panel-message", at)
    chat.js(script, at, "remove").click()
    chat.click("delete-submit")
    for page in (chat, desk):
        page.wait(lambda page=page: page.replies() == ["then I know"], "it is gone")
        says_count(page, talk.parent, "1 reply")
        page.says("panel-count", "1 reply")


def test_a_failed_reply_stays_with_resend_and_remove(browser, talk, gateway, console):
    console.expect_outage()
    page = talk.open(browser, "customer", f"&message={talk.parent['id']}")
    page.find("panel-composer")
    gateway.stop()
    for text in ("sent again", "given up"):
        page.write("panel-composer", text)
        page.press(Keys.ENTER)
    failed = "return all('panel-message').filter((one) => one.dataset.status === 'failed').map((one) => one.querySelector('.text').textContent)"
    page.wait(lambda: page.js(failed) == ["sent again", "given up"], "both have failed", 90)
    labels = "return [...all('panel-message')[0].querySelectorAll('.failure button')].map((one) => one.textContent)"
    assert page.js(labels) == ["Resend", "Remove"]
    page.js("all('panel-message')[1].querySelector('[data-test=discard]').click()")
    page.wait(lambda: page.replies() == ["sent again"], "the other one is gone")
    gateway.start()
    page.wait(lambda: page.js("return all('panel-message')[0].dataset.status") in ("delivered", "seen"), "it is sent")
    assert page.replies() == ["sent again"]


@SIDES
def test_a_file_is_replied_to(browser, talk, side):
    """A message that is a file, with or without words, on top of the panel; an image as a picture."""
    base = f"/v1/sessions/{talk.session}/attachments"
    image = talk.gateway.upload(base, "lamp.png", "image/png", png(320, 200, (200, 120, 40)))
    manual = talk.gateway.upload(base, "Manual.txt", "text/plain", b"Screw in the bulb.")
    parent = talk.write("", attachments=[{"id": image["id"]}, {"id": manual["id"]}])
    page = talk.open(browser, side)
    page.open_thread(parent["id"])
    page.find("panel-parent")
    picture = "const [one] = document.querySelectorAll('[data-test=panel-parent] img'); return one?.naturalWidth"
    page.wait(lambda: page.js(picture) == 320, "its picture is shown")
    page.says("panel-parent", "Manual.txt")
    page.reply("I see it")
    says_count(page, parent, "1 reply")
    page.says("quote", "lamp.png and Manual.txt")


@SIDES
def test_a_reply_may_be_a_file(browser, talk, side, tmp_path):
    lamp, manual = tmp_path / "lamp.png", tmp_path / "Manual.txt"
    lamp.write_bytes(png(320, 200, (200, 120, 40)))
    manual.write_text("Screw in the bulb.")
    page, other = talk.open(browser, side), talk.open(browser, "desk" if side == "customer" else "customer")
    for each in (page, other):
        each.open_thread(talk.parent["id"])
    choose = "return document.querySelector('[data-test=panel-file-input]')"
    page.js(choose).send_keys(str(lamp))
    page.wait(lambda: page.has("panel-tray"), "it is in the panel's tray")
    assert not page.has("tray"), "and not in the conversation's"
    page.click("panel-send")
    page.js(choose).send_keys(str(manual))
    page.wait(lambda: page.has("panel-tray"), "it is in the panel's tray")
    page.write("panel-composer", "and how it goes" + Keys.ENTER)
    files = (
        "return all('panel-message').map((one) => [one.querySelector('.text').textContent, one.querySelector('img')?.alt ?? one.querySelector('.file-name')?.textContent,"
        " one.querySelector('img')?.naturalWidth ?? 0])"
    )
    for each in (page, other):
        each.wait(lambda each=each: each.js(files) == [["", "lamp.png", 320], ["and how it goes", "Manual.txt", 0]], "both are among the replies")
        each.says("panel-count", "2 replies")
    replies = talk.gateway.get(f"/v1/sessions/{talk.session}/threads/{talk.thread}/messages/{talk.parent['id']}/replies")["items"]
    assert [(one["parentId"], len(one["attachments"])) for one in replies] == [(talk.parent["id"], 1)] * 2


def test_back_and_escape_close_the_panel(browser, talk):
    page = talk.open(browser, "customer")
    page.open_thread(talk.parent["id"])
    assert f"message={talk.parent['id']}" in page.js("return location.search")
    page.history_back()
    page.gone("panel")
    page.find("composer")
    page.open_thread(talk.parent["id"])
    page.wait(lambda: page.focused() == "panel-composer", "one can write at once")
    page.press(Keys.ESCAPE)
    page.gone("panel")
    assert page.js("return document.activeElement.dataset.id") == talk.parent["id"], "the keyboard is back on the message"
    page.press(Keys.ESCAPE)
    page.wait(lambda: page.focused() == "thread-item", "and then in the list")


def test_on_a_phone_the_panel_is_a_screen_of_its_own(browser, talk):
    talk.replies(2, alsoInThread=False)
    page = talk.open(browser, "customer", size=PHONE)
    page.click("reply-count")
    page.shows_replies("reply 0", "reply 1")
    assert not page.has("composer") and not page.has("thread-item")
    page.click("panel-back")
    page.find("composer")
    assert not page.has("panel")


def test_another_conversation_closes_the_panel(browser, talk):
    page = talk.open(browser, "customer")
    page.open_thread(talk.parent["id"])
    page.click("new-thread")
    page.gone("panel")
    assert "message=" not in page.js("return location.search")
