"""The main states of both pages, as makers of a page in that state: for screenshots and for looks at accessibility."""

import struct
import zlib

from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE
from receiver import Receiver

TALK = [
    ("toAgent", "Hello! My order has arrived, but the lamp does not light up."),
    ("toAgent", "I have tried two bulbs and another socket."),
    ("toClient", "Good morning, and sorry for the trouble. Could you send me the order number?"),
    ("toAgent", "4711-0815"),
    ("toClient", "Thank you. This batch had a faulty switch; a new lamp leaves our house today, you need not send the old one back.\n\nWould the same address do?"),
]


def refuse_invoices(request):
    """An answer of a receiver that gives up what speaks of invoices."""
    if "invoice" in request["text"]:
        return 422, {"webhook-delivery": "abort-message"}, b'{"error": "There is no such invoice."}'
    return 204, {}, b""


RECEIVER = Receiver(refuse_invoices)  # of the pictures' webhooks


def png(width, height, colour):
    """An image of one colour that gets darker from top to bottom."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + bytes(int(part * (1 - row / height / 2)) for part in colour) * width for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def talk(gateway, session, thread, lines=TALK):
    for direction, text in lines:
        if direction == "toAgent":
            gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": text})
        else:
            agent = {"id": "mara", "name": "Mara Lind"}
            gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": text, "agent": agent})


def furnish(gateway):
    """Some conversations of a customer on `multi`; returns (session, threads), newest first, the last one archived."""
    created = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana", "lastName": "Nováková"}})
    session = created["id"]
    invite(gateway, created["customer"]["id"])
    wait_in_line(gateway)
    mark(gateway)
    threads = []
    for name, lines in [
        ("Old invoice", TALK[:1]),
        ("A name that is much too long for the narrow list of conversations beside the transcript", TALK[:3]),
        (None, [("toAgent", "Do you ship to Norway?"), ("toClient", "We do."), ("toClient", "It takes five days.")]),
        ("Broken lamp", TALK),
    ]:
        thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": name} if name else {})["id"]
        talk(gateway, session, thread, lines)
        threads.insert(0, thread)
    gateway.post(f"/v1/sessions/{session}/threads/{threads[-1]}/archive")
    reply_and_attach(gateway, session, threads)
    other = gateway.post("/v1/sessions", {"channel": "single", "customer": {"firstName": "Ole"}})["id"]
    thread = gateway.get(f"/v1/sessions/{other}/threads")["items"][0]["id"]
    gateway.post(f"/v1/sessions/{other}/threads/{thread}/messages", {"text": "Is the shop open on Saturday?"})
    gateway.post(f"/v1/desk/threads/{threads[0]}/assign", {"agent": {"id": "mara", "name": "Mara Lind"}})
    tag(gateway, threads)
    return session, threads


def tag(gateway, threads):
    """Tags of all colours, some of them on conversations."""
    colours = ["red", "blue", "purple", "green", "grey", "orange", "yellow", "teal", "pink"]
    names = ["Invoice", "Delivery", "VIP", "Warranty and returns, also from abroad"] + [f"Colour {one}" for one in colours[4:]]
    tags = [gateway.post("/v1/desk/tags", {"name": name, "colour": colour})["id"] for name, colour in zip(names, colours)]
    for number, thread in enumerate(threads[:3]):
        gateway.api("PUT", f"/v1/desk/threads/{thread}/tags", {"tags": tags[number:number + 2]})


def invite(gateway, customer):
    """A conversation of three customers, one of them invited."""
    members = [{"id": "ole", "firstName": "Ole"}, {"id": "kim", "firstName": "Kim", "lastName": "Sandoval"}, {"id": customer, "memberState": "invited"}]
    gateway.group = gateway.post("/v1/desk/threads", {"channel": "multi", "name": "Lamps for the school", "members": members})["id"]
    messages = f"/v1/desk/threads/{gateway.group}/messages"
    gateway.post(messages, {"type": "admin", "text": "Mara Lind has opened this conversation"})
    gateway.post(messages, {"text": "Everybody who ordered is in here.", "agent": {"id": "mara", "name": "Mara Lind"}})


def wait_in_line(gateway):
    """A live chat that nobody has taken yet, with rich messages in it."""
    session = gateway.post("/v1/sessions", {"channel": "live", "customer": {"firstName": "Iva"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {})["id"]
    gateway.live = (session, thread)
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "When can you come?"})
    buttons = [{"text": "Today"}, {"text": "Tomorrow", "description": "in the morning"}, {"text": "A day of next week, which we choose together on the telephone"}]
    slots = [{"id": f"slot-{hour}", "duration": 1800, "startTime": f"2026-03-03T{hour}:00:00Z"} for hour in (10, 14)]
    for kind, content in [
        ("quickReplies", {"title": "Which day?", "buttons": buttons}),
        ("timePicker", {"title": "When?", "sheetTitle": "We call you", "timeSlots": slots}),
        ("richLink", {"title": "Where our vans are", "url": "https://shop.example/vans"}),
    ]:
        gateway.post(f"/v1/desk/threads/{thread}/messages", {"type": kind, "content": content})


MARKED = "**Order 4711** is _on its way_, see https://shop.example/track?id=4711\n> Where is it?\nAsk `support`, or read the [opening hours](https://shop.example/hours).\n```\nparley open --print --data /a/rather/long/path/for/such/a/narrow/bubble\n```"


def mark(gateway):
    """A conversation with marks and links from both sides."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Tove"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": "Marks"})["id"]
    gateway.marked = (session, thread)
    talk(gateway, session, thread, [("toAgent", MARKED)])
    for name, text in [("Mara Lind", "Has called twice. **Order 4711** is with the carrier."), ("Agent", "I ask them for a date.")]:
        gateway.post(f"/v1/desk/threads/{thread}/notes", {"text": text, "agent": {"id": name.split()[0].lower(), "name": name}})
    talk(gateway, session, thread, [("toClient", MARKED)])


def reply_and_attach(gateway, session, threads):
    """Replies to a message of the first conversation, apart from it; files in the second."""
    parent = next(one for one in gateway.desk_messages(threads[0]) if one["text"].startswith("Good morning"))["id"]
    for desk, text in [(False, "Is it on the invoice?"), (True, "Yes, at the top right."), (True, "Eight digits."), (False, "Found it, thank you.")]:
        side = "/v1/desk" if desk else f"/v1/sessions/{session}"
        body = {"text": text, "parentId": parent, "alsoInThread": False, **({"agent": {"id": "mara", "name": "Mara Lind"}} if desk else {})}
        gateway.post(f"{side}/threads/{threads[0]}/messages", body)
    image = gateway.upload(f"/v1/sessions/{session}/attachments", "lamp.png", "image/png", png(640, 420, (214, 160, 72)))
    text = gateway.upload(f"/v1/sessions/{session}/attachments", "a manual with a rather long name for such a narrow bubble.pdf", "application/pdf", b"%PDF-1.4")
    file = {"attachments": [{"id": image["id"]}, {"id": text["id"]}], "text": "This is the one, and what came with it."}
    sent = gateway.post(f"/v1/sessions/{session}/threads/{threads[1]}/messages", file)
    reply = {"text": "Thank you, I see.", "parentId": sent["id"], "agent": {"id": "mara", "name": "Mara Lind"}}
    gateway.post(f"/v1/desk/threads/{threads[1]}/messages", reply)
    # The first one stays the one with the latest activity.
    gateway.post(f"/v1/sessions/{session}/threads/{threads[0]}/messages", {"text": "Yes please. That was quick 👍"})


def picker(browser, made, **look):
    page = browser.page(**look)
    page.remember({f"parley.session.local.{channel}": None for channel in ("single", "multi", "live")})
    page.go("/")
    page.find("channel-picker")
    return page


def _as_customer(browser, session, query, **look):
    """The page of a session that exists: as if this browser had made it."""
    page = browser.page(**look)
    page.remember({"parley.session.local.multi": session})
    page.go(f"/?channel=multi{query}")
    page.ready()
    return page


def chat_list(browser, made, **look):
    return _as_customer(browser, made[0], "", **look)


def chat_open(browser, made, **look):
    page = _as_customer(browser, made[0], f"&thread={made[1][0]}", **look)
    page.shows("Yes please. That was quick 👍")

    def typing():  # nobody keeps it for a page whose stream is not yet open: say it until it is seen
        page.gateway.post(f"/v1/desk/threads/{made[1][0]}/typing", {"isTyping": True, "agent": {"id": "mara", "name": "Mara Lind"}})
        return page.text("typing") == "Mara Lind is typing"

    page.wait(typing, "the agent is seen typing")
    return page


def chat_thread(browser, made, **look):
    """The replies to a message."""
    page = _as_customer(browser, made[0], f"&thread={made[1][0]}", **look)
    page.click("reply-count")
    page.shows_replies("Eight digits.", "Found it, thank you.")
    return page


def chat_files(browser, made, **look):
    page = _as_customer(browser, made[0], f"&thread={made[1][1]}", **look)
    page.shows("Thank you, I see.")
    page.wait(lambda: page.js("return all('image').length && all('image')[0].querySelector('img').naturalWidth > 0"), "the image is there")
    page.wait(lambda: "This is the one" in page.text("quote"), "the reply quotes it")
    return page


def chat_marks(browser, made, **look):
    session, thread = browser.gateway.marked
    page = _as_customer(browser, session, f"&thread={thread}", **look)
    page.find("link")
    return page


def desk_thread(browser, made, **look):
    page = browser.page(f"/desk?thread={made[1][0]}", **look)
    page.ready()
    page.click("reply-count")
    page.shows_replies("Eight digits.", "Found it, thank you.")
    return page


def chat_archived(browser, made, **look):
    page = _as_customer(browser, made[0], f"&thread={made[1][-1]}", **look)
    page.find("closed-note")
    if page.has("segment-archived"):
        page.click("segment-archived")
    return page


def chat_empty(browser, made, **look):
    page = browser.page(**look)
    page.remember({"parley.session.local.multi": None})
    page.go("/?channel=multi")
    page.ready()
    page.find("list-empty")
    return page


def chat_single(browser, made, **look):
    page = browser.page("/?channel=single", **look)
    page.ready()
    page.find("composer")
    return page


def chat_dialog(browser, made, **look):
    page = chat_open(browser, made, **look)
    page.click("rename")
    page.find("rename-dialog")
    return page


def chat_invited(browser, made, **look):
    page = _as_customer(browser, made[0], f"&thread={browser.gateway.group}", **look)
    page.find("invitation")
    page.shows("Mara Lind has opened this conversation", "Everybody who ordered is in here.")
    return page


def chat_details(browser, made, **look):
    page = chat_invited(browser, made, **look)
    page.click("details")
    page.find("member")
    return page


def desk_details(browser, made, **look):
    page = browser.page(f"/desk?thread={browser.gateway.group}", **look)
    page.ready()
    page.click("details")
    page.find("member-remove")
    return page


def chat_live(browser, made, **look):
    session, thread = browser.gateway.live
    page = browser.page(**look)
    page.remember({"parley.session.local.live": session})
    page.go(f"/?channel=live&thread={thread}")
    page.ready()
    page.find("queue")
    page.find("rich-link")
    return page


def chat_survey(browser, made, **look):
    fields = [{"ident": "mail", "label": "E-mail", "type": "email", "isRequired": True}, {"ident": "topic", "label": "Topic", "type": "list", "options": [{"id": "a", "label": "Invoices"}]}]
    browser.gateway.api("PATCH", "/v1/desk/channels/live", {"preChatSurvey": {"name": "Before we begin", "fields": fields}})
    page = browser.page(**look)
    page.remember({"parley.session.local.live": None})
    page.go("/?channel=live")
    page.ready()
    page.click("new-thread")
    page.find("survey-dialog")
    return page


def chat_editing(browser, made, **look):
    page = chat_open(browser, made, **look)
    page.act(page.newest(), "edit")
    page.find("edit-cancel")
    return page


def desk_name(browser, made, **look):
    page = browser.page(agent=None, **look)
    page.remember({"parley.agent": None})
    page.go("/desk")
    page.find("agent-screen")
    return page


def desk_list(browser, made, **look):
    page = browser.page("/desk", **look)
    page.ready()
    page.find("desk-thread")
    return page


def desk_open(browser, made, **look):
    page = browser.page(**look)
    page.remember({"parley.agent": '{"id":"mara","name":"Mara Lind"}'})
    page.go(f"/desk?thread={made[1][0]}")
    page.ready()
    page.shows("Yes please. That was quick 👍")
    page.fill("composer", "Then I close this one")
    page.shift(Keys.ENTER)
    page.write("composer", "– have a nice day!")
    return page


def desk_notes(browser, made, **look):
    page = browser.page(f"/desk?thread={browser.gateway.marked[1]}", **look)
    page.ready()
    page.find("note")
    return page


def desk_note(browser, made, **look):
    """While one is written."""
    page = desk_notes(browser, made, **look)
    page.click("add-note")
    page.find("note-dialog")
    return page


def desk_beside(browser, made, **look):
    page = desk_open(browser, made, **look)
    page.wait(lambda: page.has("other-thread") or page.js("return innerWidth < 1200"), "the customer's other conversations are there")
    return page


def desk_others(browser, made, **look):
    page = desk_open(browser, made, **look)
    page.look(size=(min(look["size"][0], 1100), look["size"][1]), dark=look.get("dark", False))
    page.click("details")
    page.click("others")
    page.find("other-thread")
    return page


def desk_filtered(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("filter-mine")
    page.find("filter-mine", "[aria-pressed=true]")
    page.write("search", "lamp")
    page.find("found-thread")
    return page


def desk_keys(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.js("document.activeElement.blur()")
    page.press("?")
    page.find("keys-dialog")
    return page


def desk_settings(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("desk-settings")
    page.find("settings-dialog")
    return page


def desk_snooze(browser, made, **look):
    page = desk_open(browser, made, **look)
    page.click("snooze") if page.has("snooze") else (page.click("details"), page.click("snooze"))
    page.find("snooze-dialog")
    return page


def desk_tags(browser, made, **look):
    page = desk_open(browser, made, **look)
    page.click("tag") if page.has("tag") else (page.click("details"), page.click("tag"))
    page.write("tag-find", "i")
    page.find("tag-make")
    return page


def desk_selecting(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("select")
    page.click("select-thread")
    page.says("selected", "1")
    return page


def desk_views(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("views")
    page.write("view-name", "Lamps")
    page.click("view-keep")
    page.find("view")
    return page


def desk_saved(browser, made, **look):
    page = desk_open(browser, made, **look)
    for name, text in [("Opening hours", "We are open from 9 to 5, and on Saturdays from 10 to 2, in all our shops."), ("Thanks", "Thank you, {customer.firstName|dear customer}!")]:
        browser.gateway.post("/v1/desk/answers", {"name": name, "text": text})
    page.fill("composer", "")
    page.write("composer", "/")
    page.find("saved-reply")
    return page


def desk_customer(browser, made, **look):
    page = desk_open(browser, made, **look)
    if page.js("return innerWidth < 1200"):
        page.click("details")
        page.click("others")
    page.find("profile")
    page.click("change-lastName")
    return page


def desk_answers(browser, made, **look):
    page = desk_open(browser, made, **look)
    for name, text in [("Opening hours", "We are open from 9 to 5, and on Saturdays from 10 to 2, in all our shops."), ("Thanks", "Thank you!")]:
        browser.gateway.post("/v1/desk/answers", {"name": name, "text": text})
    page.click("answers")
    page.find("answer")
    return page


def desk_offer(browser, made, **look):
    page = desk_open(browser, made, **look)
    page.click("details")
    page.click("offer")
    page.find("rich-dialog")
    return page


def desk_dialog(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("add-channel")
    page.find("add-channel-dialog")
    return page


def desk_fields(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.put("channel-filter", "live")
    page.click("channel-settings")
    page.click("channel-fields")
    page.click("add-survey")
    page.js("const one = all('survey-type').at(-1); one.value = 'tree'; one.dispatchEvent(new Event('change'))")
    return page


def desk_webhooks(browser, made, **look):
    """The list: one that is well, one whose receiver is away, one that is paused."""
    hooks = [
        {"id": "crm", "url": f"http://127.0.0.1:{RECEIVER.port}/hook", "description": "New leads for the sales team"},
        {"id": "away", "url": "http://127.0.0.1:9/a/long/path?key=4711", "types": ["message.created"], "directions": ["toAgent"]},
        {"id": "archive", "url": "https://archive.example/", "headers": {"Authorization": "Bearer 4711"}},
    ]
    for hook in hooks:
        browser.gateway.post("/v1/webhooks", {**hook, "after": browser.gateway.get("/v1/info")["epoch"] + "-0"})
    browser.gateway.post("/v1/webhooks/archive/pause")
    page = browser.page("/desk", **look)
    page.ready()
    page.click("webhooks")
    page.says("webhook-state", "Failing", '[data-state="failing"]')
    page.wait(lambda: "Last error: no connection" in page.js("return all('webhook-facts')[1]?.textContent ?? ''"), "it says why")
    return page


def desk_webhook(browser, made, **look):
    """One webhook, whose receiver has refused a message for good."""
    page = desk_webhooks(browser, made, **look)
    page.click("webhook", '[data-id="crm"]')
    page.click("webhook-test")
    page.says("webhook-said", "took the test")
    page.put("delivery-filter", "dead")
    page.gone("delivery-state", "[data-state=delivered]")
    page.click("delivery-attempts")
    return page


def desk_add_webhook(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("webhooks")
    page.click("add-webhook")
    page.find("add-webhook-dialog")
    return page


def desk_change_webhook(browser, made, **look):
    """The settings of one, with a header that it has and a new one."""
    page = desk_webhooks(browser, made, **look)
    page.click("webhook", '[data-id="archive"]')
    page.click("webhook-change")
    page.click("add-header")
    page.write("header-name", "X-Key")
    return page


def desk_replay(browser, made, **look):
    page = desk_webhooks(browser, made, **look)
    page.click("webhook", '[data-id="crm"]')
    page.click("webhook-replay")
    page.click("replay-submit")
    page.find("field-since", "[aria-invalid=true]")
    return page


# Windows in which each state must fit: phones, where one screen shows at a time, and desktops.
NARROW, WIDE = [PHONE, (320, 568), (719, 900)], [DESKTOP, (720, 900), (1920, 1080)]

STATES = [
    picker, chat_list, chat_open, chat_thread, chat_files, chat_marks, chat_archived, chat_empty, chat_single, chat_dialog,
    chat_editing, chat_invited, chat_details, chat_live, chat_survey, desk_name, desk_list, desk_open, desk_notes, desk_note, desk_beside, desk_others, desk_filtered, desk_keys, desk_settings, desk_snooze, desk_tags, desk_selecting, desk_views, desk_saved, desk_customer, desk_answers, desk_offer, desk_thread, desk_dialog, desk_details, desk_fields,
    desk_webhooks, desk_webhook, desk_add_webhook, desk_change_webhook, desk_replay,
]
