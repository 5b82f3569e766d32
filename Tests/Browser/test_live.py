"""Live chats on the customer's page: the survey, the queue, the agent, the end, silence; and rich messages on any channel."""

import pytest
from selenium.webdriver.common.keys import Keys

AGENT = {"id": "mara", "name": "Mara Lind"}
SURVEY = {
    "name": "Before we begin",
    "fields": [
        {"ident": "mail", "label": "E-mail", "type": "email", "isRequired": True},
        {"ident": "a/b", "label": "Topic", "type": "list", "options": [{"id": "bill", "label": "Invoices"}, {"id": "tech", "label": "Technical"}]},
        {
            "ident": "product",
            "label": "Product",
            "type": "tree",
            "options": [{"id": "hw", "label": "Hardware"}, {"id": "lamp", "label": "Lamp", "parentId": "hw"}, {"id": "sw", "label": "Software"}],
        },
        {"ident": "note", "label": "Anything else", "type": "text"},
    ],
}


def take(gateway, thread):
    gateway.post(f"/v1/desk/threads/{thread}/assign", {"agent": AGENT})


def rich(gateway, thread, kind, content):
    return gateway.post(f"/v1/desk/threads/{thread}/messages", {"type": kind, "content": content, "agent": AGENT})


def begin(browser):
    chat = browser.chat("live")
    chat.click("start")
    chat.find("composer")
    return chat


def test_a_live_chat_from_its_beginning_to_its_end_and_anew(browser, gateway):
    other = gateway.post("/v1/sessions", {"channel": "live"})["id"]
    before = gateway.post(f"/v1/sessions/{other}/threads", {})["id"]
    chat = begin(browser)
    chat.says("queue", "You are number 2 in the queue.")
    chat.send("Hello?")
    assert "left" not in chat.text("queue"), "nothing is known of the queue's pace"
    take(gateway, before)
    chat.says("queue", "You are next. About a minute is left.")
    first = chat.thread
    take(gateway, first)
    chat.gone("queue")
    chat.says("conversation-title", "Mara Lind")
    gateway.post(f"/v1/desk/threads/{first}/messages", {"text": "Good morning!", "agent": AGENT})
    chat.shows("Hello?", "Good morning!")
    assert not chat.has("new-thread") and not chat.has("start"), "one chat at a time"
    chat.click("end")
    chat.click("end-submit")
    chat.says("closed-note", "This chat has ended.")
    assert not chat.has("composer") and not chat.has("end")
    chat.click("restart")
    chat.wait(lambda: chat.thread not in (None, first) and chat.texts() == [], "another chat is open")
    chat.says("queue", "You are next.")
    chat.send("Me again")
    chat.becomes("Me again", "delivered", "seen")


def test_the_desk_ends_a_live_chat(browser, gateway):
    chat = begin(browser)
    thread = chat.thread
    take(gateway, thread)
    gateway.post(f"/v1/desk/threads/{thread}/close")
    chat.says("closed-note", "This chat has ended.")
    chat.reload()
    chat.ready()
    chat.says("closed-note", "This chat has ended.")
    chat.find("restart")


def test_a_chat_is_found_again_after_a_reload(browser, gateway):
    chat = begin(browser)
    chat.send("Hello?")
    chat.becomes("Hello?", "delivered")
    chat.go("/?channel=live")
    chat.ready()
    chat.shows("Hello?")
    chat.says("queue", "You are next.")


def test_a_survey_begins_at_its_first_question_and_marks_what_is_needed(browser, gateway):
    fields = [{"ident": "topic", "label": "Topic", "type": "list", "isRequired": True, "options": [{"id": "a", "label": "Invoices"}]},
              {"ident": "mail", "label": "E-mail", "type": "email"}]
    gateway.api("PATCH", "/v1/desk/channels/live", {"preChatSurvey": {"name": "Before we begin", "fields": fields}})
    chat = browser.chat("live")
    chat.click("start")
    chat.find("survey-dialog")
    assert chat.js("return document.activeElement.dataset.ident") == "topic"
    labels = chat.js("return [...document.querySelectorAll('dialog label')].map((one) => one.textContent)")
    assert labels == ["Topic *", "E-mail"]


@pytest.mark.parametrize("channel", ["single", "multi", "live"])
def test_a_survey_is_asked_first(browser, gateway, console, channel):
    console.expect("status of 422")
    gateway.api("PATCH", f"/v1/desk/channels/{channel}", {"preChatSurvey": SURVEY})
    chat = browser.chat(channel)
    chat.click("start")
    chat.says("survey-dialog", "Before we begin")
    options = "return [...document.querySelector(`[data-ident='${arguments[0]}']`).options].map((one) => one.textContent)"
    assert chat.js(options, "a/b") == ["", "Invoices", "Technical"]
    assert chat.js(options, "product") == ["", "Hardware › Lamp", "Software"]
    chat.click("survey-submit")
    assert chat.has("survey-dialog"), "the address is needed"
    chat.write("field-survey-0", "ann@example")
    chat.click("survey-submit")
    chat.wait(lambda: chat.js("return document.querySelector('[data-ident=mail]')?.getAttribute('aria-invalid')") == "true", "it is said at the question")
    assert chat.js("return document.querySelector('[data-ident=mail]').value") == "ann@example", "what was written stays"
    chat.fill("field-survey-0", "ann@example.org")
    chat.js("document.querySelector('[data-ident=product]').value = 'lamp'")
    chat.click("survey-submit")
    chat.find("composer")
    thread = gateway.get(f"/v1/sessions/{chat.session(channel)}/threads")["items"][0]
    assert thread["customFields"] == {"mail": "ann@example.org", "product": "lamp"}
    chat.send("Hello?")
    chat.becomes("Hello?", "delivered")


def test_a_survey_that_is_left_begins_nothing(browser, gateway):
    gateway.api("PATCH", "/v1/desk/channels/live", {"preChatSurvey": SURVEY})
    chat = browser.chat("live")
    chat.click("start")
    chat.find("survey-dialog")
    chat.press(Keys.ESCAPE)
    chat.gone("survey-dialog")
    chat.find("start")
    assert gateway.get(f"/v1/sessions/{chat.session('live')}/threads")["items"] == []


@pytest.mark.parametrize("answer", ["refresh", "expire", None])
def test_who_is_silent_is_asked(browser, gateway, answer):
    limits = {"secondsUntilPopup": 1, "secondsUntilEnd": 4 if answer is None else 60}
    gateway.api("PATCH", "/v1/desk/channels/live", {"inactivity": limits})
    chat = begin(browser)
    take(gateway, chat.thread)
    chat.find("inactivity")
    first = chat.text("countdown")
    chat.wait(lambda: chat.text("countdown") != first, "it counts down")
    if answer is None:
        chat.says("closed-note", "This chat has ended.")
        chat.find("restart")
    elif answer == "expire":
        chat.click("inactivity-expire")
        chat.says("closed-note", "This chat has ended.")
    else:
        gateway.api("PATCH", "/v1/desk/channels/live", {"inactivity": {"secondsUntilPopup": 3600, "secondsUntilEnd": 60}})
        chat.click("inactivity-refresh")
        chat.gone("inactivity")
        chat.send("I am here")
        chat.becomes("I am here", "delivered", "seen")
    assert not chat.has("inactivity")


def test_nobody_is_there(browser, gateway, console):
    gateway.api("PUT", "/v1/desk/channels/live/availability", {"isOnline": False})
    chat = browser.chat("live")
    chat.says("blank", "Nobody is here at the moment.")
    assert not chat.has("start") and not chat.has("new-thread")
    # The page hears of it, and shows again how to begin.
    gateway.api("PUT", "/v1/desk/channels/live/availability", {"isOnline": True})
    chat.click("start")
    chat.says("queue", "You are next.")


def buttons(page):
    return page.js("return all('rich-button').map((one) => one.innerText)")


@pytest.mark.parametrize("channel", ["multi", "live"])
def test_quick_replies_are_answered(browser, gateway, channel):
    chat, desk = browser.chat(channel), browser.desk()
    chat.click("start")
    chat.send("When can you come?")
    desk.click("desk-thread")
    desk.shows("When can you come?")
    content = {"title": "Which day?", "buttons": [{"text": "Today", "postback": "day-1"}, {"text": "Later", "description": "next week"}]}
    rich(gateway, chat.thread, "quickReplies", content)
    chat.wait(lambda: buttons(chat) == ["Today", "Later\nnext week"], "the answers are offered")
    assert desk.js("return all('rich-button').map((one) => one.disabled)") == [True, True], "they are not the desk's to give"
    chat.click("rich-button")
    chat.shows("Which day?", "Today")
    chat.becomes("Today", "delivered", "seen")
    desk.shows("Which day?", "Today")
    sent = gateway.desk_messages(chat.thread)[-1]
    assert (sent["text"], sent["postback"]) == ("Today", "day-1")
    chat.js("all('rich-button')[1].click()")
    chat.shows("Today", "Later")
    chat.becomes("Later", "delivered", "seen")
    assert "postback" not in gateway.desk_messages(chat.thread)[-1]


def test_lists_times_and_links_are_shown(browser, gateway):
    chat = browser.chat("multi")
    chat.click("start")
    chat.send("Hello")
    chat.becomes("Hello", "delivered")
    thread = chat.thread
    rich(gateway, thread, "listPicker", {"title": "Colour", "text": "Which one is it?", "buttons": [{"text": "<b>red</b>", "postback": "r"}]})
    chat.wait(lambda: buttons(chat) == ["<b>red</b>"], "text is text")
    assert "Which one is it?" in chat.js("return all('message').at(-1).innerText")
    rich(gateway, thread, "timePicker", {"title": "When?", "sheetTitle": "We call you", "timeSlots": [{"id": "slot-1", "duration": 1800, "startTime": "2026-03-03T10:00:00Z"}]})
    chat.wait(lambda: len(buttons(chat)) == 2, "a time is offered")
    chat.js("all('rich-button')[1].click()")
    chat.wait(lambda: len(chat.texts()) == 4, "it is chosen")
    chat.becomes(chat.texts()[-1], "delivered", "seen")
    sent = gateway.desk_messages(thread)[-1]
    assert sent["postback"] == "slot-1" and "Mar" in sent["text"]
    rich(gateway, thread, "richLink", {"title": "Our shop", "url": "https://shop.example/lamps"})
    link = "const one = all('rich-link')[0]; return one && [one.textContent, one.href, one.rel, one.target]"
    chat.wait(lambda: chat.js(link) == ["Our shop", "https://shop.example/lamps", "noopener noreferrer", "_blank"], "the link is shown")


def test_who_cannot_write_cannot_answer_either(browser, gateway):
    chat = begin(browser)
    rich(gateway, chat.thread, "quickReplies", {"title": "Which day?", "buttons": [{"text": "Today"}]})
    chat.wait(lambda: chat.js("return all('rich-button').map((one) => one.disabled)") == [False], "an answer is offered")
    chat.click("end")
    chat.click("end-submit")
    chat.wait(lambda: chat.js("return all('rich-button').map((one) => one.disabled)") == [True], "no more")


def at_the_desk(browser, thread):
    desk = browser.page()
    desk.remember({"parley.agent": '{"id":"mara","name":"Mara Lind"}'})
    desk.go(f"/desk?thread={thread}")
    desk.ready()
    desk.find("composer")
    return desk


def test_the_desk_takes_hands_over_and_lets_go(browser, gateway):
    chat = begin(browser)
    chat.send("Hello?")
    desk = at_the_desk(browser, chat.thread)
    assert "Waiting · 1" in desk.text("desk-thread")
    desk.click("assign")
    chat.says("conversation-title", "Mara Lind")
    desk.says("assigned", "You")
    assert "Waiting" not in desk.text("desk-thread") or not desk.js("return all('desk-thread')[0].querySelector('.tag').checkVisibility()")
    desk.click("transfer")
    desk.write("field-name", "Bo Berg")
    desk.click("transfer-submit")
    desk.find("field-id", "[aria-invalid=true]")  # nobody here knows an agent of this name
    desk.write("field-id", "bo")
    desk.click("transfer-submit")
    chat.says("conversation-title", "Bo Berg")
    desk.says("assigned", "Bo Berg")
    desk.click("release")
    chat.says("queue", "You are next.")
    desk.wait(lambda: desk.js("return all('desk-thread')[0].querySelector('.tag').innerText") == "Waiting · 1", "it waits again")
    desk.click("assign")
    desk.click("close")
    desk.click("close-submit")
    chat.says("closed-note", "This chat has ended.")


def test_the_desk_opens_and_closes_the_door_and_greets(browser, gateway):
    desk = browser.desk()
    desk.put("channel-filter", "live")
    desk.click("channel-settings")
    desk.write("field-welcomeMessage", "Hello, how can we help?")
    desk.write("field-popup", "3600")
    desk.click("channel-submit")
    desk.gone("channel-dialog")
    desk.wait(lambda: gateway.get("/v1/desk/channels/live").get("welcomeMessage") == "Hello, how can we help?", "it is set")
    assert gateway.get("/v1/desk/channels/live")["inactivity"] == {"secondsUntilPopup": 3600, "secondsUntilEnd": 60}
    chat = begin(browser)
    chat.shows("Hello, how can we help?")
    chat.click("end")
    chat.click("end-submit")
    chat.find("restart")
    desk.click("channel-settings")
    desk.wait(lambda: desk.js("return all('field-welcomeMessage')[0]?.value") == "Hello, how can we help?", "it shows what is set")
    desk.put("field-isOnline", "false")
    desk.fill("field-welcomeMessage", "")
    desk.click("channel-submit")
    desk.gone("channel-dialog")
    desk.wait(lambda: gateway.get("/v1/desk/channels/live")["isOnline"] is False, "it is closed")
    assert "welcomeMessage" not in gateway.get("/v1/desk/channels/live")
    other = browser.page()
    other.remember({"parley.session.local.live": None})
    other.go("/?channel=live")
    other.ready()
    other.says("blank", "Nobody is here at the moment.")


def kind(desk, name):
    desk.put("field-type", name)


def test_the_desk_offers_answers_and_a_link(browser, gateway):
    chat = browser.chat("multi")
    chat.click("start")
    chat.send("Hello")
    chat.becomes("Hello", "delivered")
    desk = at_the_desk(browser, chat.thread)
    desk.click("details")
    desk.click("offer")
    desk.write("field-title", "Which day?")
    desk.write("field-offer", "Today; Tomorrow")
    desk.click("rich-submit")
    for page in (chat, desk):
        page.wait(lambda page=page: buttons(page) == ["Today", "Tomorrow"], "the answers are offered")
    chat.click("rich-button")
    desk.shows("Which day?", "Today")
    desk.click("details")
    desk.click("offer")
    kind(desk, "richLink")
    assert desk.js("return document.querySelector('label[for=field-offer]').textContent") == "Address"
    desk.write("field-title", "Our shop")
    desk.write("field-offer", "shop.example")
    desk.click("rich-submit")
    desk.wait(lambda: "An address begins with" in (desk.text("rich-dialog") or ""), "it says what is wrong")
    desk.fill("field-offer", "https://shop.example/")
    desk.click("rich-submit")
    chat.wait(lambda: chat.js("return all('rich-link').map((one) => one.href)") == ["https://shop.example/"], "the link is shown")
    desk.click("details")
    desk.click("offer")
    kind(desk, "timePicker")
    desk.write("field-title", "When shall we call?")
    desk.write("field-offer", "2026-05-04 09:30; tomorrow")
    desk.click("rich-submit")
    desk.wait(lambda: "Write a time as" in (desk.text("rich-dialog") or ""), "it says how a time is written")
    desk.fill("field-offer", "2026-05-04 09:30\n2026-05-04 14:00 45")
    desk.click("rich-submit")
    chat.wait(lambda: len([one for one in buttons(chat) if one not in ("Today", "Tomorrow")]) == 2, "two times are offered")
