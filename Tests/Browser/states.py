"""The main states of both pages, as makers of a page in that state: for screenshots and for looks at accessibility."""

from selenium.webdriver.common.keys import Keys

TALK = [
    ("toAgent", "Hello! My order has arrived, but the lamp does not light up."),
    ("toAgent", "I have tried two bulbs and another socket."),
    ("toClient", "Good morning, and sorry for the trouble. Could you send me the order number?"),
    ("toAgent", "4711-0815"),
    ("toClient", "Thank you. This batch had a faulty switch; a new lamp leaves our house today, you need not send the old one back.\n\nWould the same address do?"),
    ("toAgent", "Yes please. That was quick 👍"),
]


def talk(gateway, session, thread, lines=TALK):
    for direction, text in lines:
        if direction == "toAgent":
            gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": text})
        else:
            agent = {"id": "mara", "name": "Mara Lind"}
            gateway.post(f"/v1/desk/threads/{thread}/messages", {"text": text, "agent": agent})


def furnish(gateway):
    """Some conversations of a customer on `multi`; returns (session, threads), newest first, the last one archived."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana", "lastName": "Nováková"}})["id"]
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
    other = gateway.post("/v1/sessions", {"channel": "single", "customer": {"firstName": "Ole"}})["id"]
    thread = gateway.get(f"/v1/sessions/{other}/threads")["items"][0]["id"]
    gateway.post(f"/v1/sessions/{other}/threads/{thread}/messages", {"text": "Is the shop open on Saturday?"})
    gateway.post(f"/v1/desk/threads/{threads[0]}/assign", {"agent": {"id": "mara", "name": "Mara Lind"}})
    return session, threads


def picker(browser, made, **look):
    page = browser.page(**look)
    page.remember({"parley.session.local.multi": None, "parley.session.local.single": None})
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


def chat_editing(browser, made, **look):
    page = chat_open(browser, made, **look)
    page.act(page.newest(), "edit")
    page.find("edit-cancel")
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
    page.write("composer", "Then I close this one")
    page.shift(Keys.ENTER)
    page.write("composer", "– have a nice day!")
    return page


def desk_dialog(browser, made, **look):
    page = desk_list(browser, made, **look)
    page.click("add-channel")
    page.find("add-channel-dialog")
    return page


STATES = [picker, chat_list, chat_open, chat_archived, chat_empty, chat_single, chat_dialog, chat_editing, desk_list, desk_open, desk_dialog]
