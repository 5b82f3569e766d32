"""Threads of several customers: who is in them, invitations, hidden threads, cleared histories; and messages of the system."""

import pytest

AGENT = {"id": "mara", "name": "Mara Lind"}


class Group:
    """A thread of some customers, whose pages stand side by side."""

    def __init__(self, gateway, *members, names=("Ann", "Bo")):
        self.gateway = gateway
        self.sessions = {name: gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": name.lower(), "firstName": name}})["id"] for name in names}
        body = {"channel": "multi", "name": "Our order", "members": [{"id": name.lower()} for name in names[:1]]}
        self.thread = gateway.post("/v1/desk/threads", body)["id"]
        for name in members:
            self.add(name)

    def add(self, name, state="joined"):
        self.gateway.post(f"/v1/desk/threads/{self.thread}/members", {"members": [{"id": name.lower(), "memberState": state}]})

    def say(self, name, text, **more):
        return self.gateway.post(f"/v1/sessions/{self.sessions[name]}/threads/{self.thread}/messages", {"text": text, **more})

    def answer(self, text, **more):
        return self.gateway.post(f"/v1/desk/threads/{self.thread}/messages", {"text": text, "agent": AGENT, **more})

    def page(self, browser, name, query="", isOpen=True, **look):
        page = browser.page(**look)
        page.remember({"parley.session.local.multi": self.sessions[name]})
        page.go(f"/?channel=multi{query}" + (f"&thread={self.thread}" if isOpen else ""))
        page.ready()
        return page

    def desk(self, browser):
        page = browser.page()
        page.remember({"parley.agent": '{"id":"mara","name":"Mara Lind"}'})
        page.go(f"/desk?thread={self.thread}")
        page.ready()
        return page


def own(page):
    """(text, whether it stands on the reader's side, author as shown) of each message."""
    return page.js(
        "return all('message').map((one) => [one.querySelector('.text').textContent, one.classList.contains('own'),"
        " one.querySelector('.author').checkVisibility() ? one.querySelector('.author').textContent : null])"
    )


def members(page):
    return page.js("return all('member').map((one) => one.innerText.replace(/\\s+/g, ' ').trim())")


def open_details(page, *names):
    page.click("details")
    page.wait(lambda: members(page) == list(names), f"the members are {names}")


def test_only_what_one_wrote_oneself_is_one_s_own(browser, gateway):
    group = Group(gateway, "Bo")
    ann, bo, desk = group.page(browser, "Ann"), group.page(browser, "Bo"), group.desk(browser)
    ann.send("from Ann")
    bo.send("from Bo")
    desk.send("from the desk")
    for page in (ann, bo, desk):
        page.shows("from Ann", "from Bo", "from the desk")
    assert own(ann) == [["from Ann", True, None], ["from Bo", False, "Bo"], ["from the desk", False, "Mara Lind"]]
    assert own(bo) == [["from Ann", False, "Ann"], ["from Bo", True, None], ["from the desk", False, "Mara Lind"]]
    assert own(desk) == [["from Ann", False, "Ann"], ["from Bo", False, "Bo"], ["from the desk", True, None]]
    first, second = ann.id_of("from Ann"), ann.id_of("from Bo")
    buttons = "return [...all('message', `[data-id='${arguments[0]}']`)[0].querySelectorAll('.actions button:not([hidden])')].map((one) => one.dataset.test)"
    assert ann.js(buttons, first) == ["reply", "edit", "remove"]
    assert ann.js(buttons, second) == ["reply"]
    ann.says("thread-item", "Mara Lind: from the desk")
    bo.send("again")
    ann.says("thread-item", "Bo: again")
    bo.says("thread-item", "You: again")
    ann.shows("from the desk", "again")


def test_what_another_customer_writes_is_unread(browser, gateway):
    group = Group(gateway, "Bo")
    group.say("Ann", "one")
    ann, bo = group.page(browser, "Ann"), group.page(browser, "Bo", isOpen=False)
    bo.counts("thread-item", 1)
    bo.click("thread-item")
    bo.shows("one")
    bo.counts("thread-item", 0)
    ann.look_away()
    bo.send("two")
    ann.counts("thread-item", 1)
    ann.look_back()
    ann.counts("thread-item", 0)


def test_members_come_and_go_while_one_looks(browser, gateway):
    group = Group(gateway, names=("Ann", "Bo", "Cy"))
    ann, desk = group.page(browser, "Ann"), group.desk(browser)
    open_details(ann, "Ann You")
    open_details(desk, "Ann")
    group.add("Bo")
    for page, me in ((ann, "Ann You"), (desk, "Ann")):
        page.wait(lambda page=page, me=me: members(page) == [me, "Bo"], "Bo has come")
    ann.click("details-close")
    ann.says("conversation-subtitle", "2 people")
    # The desk proposes the customers it knows, and adds one.
    group.gateway.post(f"/v1/sessions/{group.sessions['Cy']}/threads/{cy_thread(group)}/messages", {"text": "hello"})
    desk.click("details-close")
    desk.says("conversation-title", "Ann and 1 more")
    desk.click("details")
    desk.click("add-member")
    desk.wait(lambda: desk.js("return [...document.querySelectorAll('datalist option')].map((one) => [one.value, one.textContent])") == [["cy", "Cy"]], "Cy is proposed")
    desk.write("field-id", "cy")
    desk.put("field-memberState", "joined")
    desk.click("add-member-submit")
    ann.says("conversation-subtitle", "3 people")
    desk.click("details")
    desk.click("member-remove", ":is([data-id=bo] *)")
    desk.click("remove-member-submit")
    desk.wait(lambda: members(desk) == ["Ann", "Cy"], "Bo has gone")
    ann.says("conversation-subtitle", "2 people")


def cy_thread(group):
    return group.gateway.post(f"/v1/sessions/{group.sessions['Cy']}/threads", {})["id"]


def test_an_invitation_is_accepted(browser, gateway):
    group = Group(gateway, names=("Ann", "Bo"))
    group.say("Ann", "Please look at this")
    bo = group.page(browser, "Bo", isOpen=False)
    bo.find("list-empty")
    group.add("Bo", "invited")
    bo.click("thread-item")
    bo.shows("Please look at this")
    assert "Invited" in bo.text("thread-item")
    assert not bo.has("composer") and not bo.has("attach") and not bo.has("rename")
    assert bo.js("return all('message')[0].querySelectorAll('.actions button:not([hidden])').length") == 0
    bo.click("invitation-join")
    bo.wait(lambda: bo.focused() == "composer", "one can write at once")
    assert not bo.has("invitation") and "Invited" not in bo.js("return all('thread-item')[0].innerText")
    bo.send("I see it")
    bo.becomes("I see it", "delivered", "seen")


def test_an_invitation_is_declined(browser, gateway):
    group = Group(gateway, names=("Ann", "Bo"))
    group.say("Ann", "Please look at this")
    group.add("Bo", "invited")
    ann, bo = group.page(browser, "Ann"), group.page(browser, "Bo")
    bo.click("invitation-decline")
    bo.gone("thread-item")
    bo.find("blank")
    assert "thread=" not in bo.js("return location.search")
    open_details(ann, "Ann You")
    assert not ann.has("invitation")


def test_who_is_invited_reads_the_replies_but_cannot_reply(browser, gateway):
    group = Group(gateway, names=("Ann", "Bo"))
    parent = group.answer("Which one?")
    group.say("Ann", "The green one", parentId=parent["id"], alsoInThread=False)
    group.add("Bo", "invited")
    bo = group.page(browser, "Bo", f"&message={parent['id']}")
    bo.shows_replies("The green one")
    assert not bo.has("panel-composer")
    bo.says("panel-closed-note", "Join the conversation")
    bo.click("invitation-join")
    bo.find("panel-composer")
    bo.reply("The blue one, I think")


def test_who_leaves_or_is_taken_out_sees_it_no_more(browser, gateway):
    group = Group(gateway, "Bo", names=("Ann", "Bo"))
    group.say("Ann", "one")
    ann, bo = group.page(browser, "Ann"), group.page(browser, "Bo")
    bo.shows("one")
    bo.click("details")
    bo.click("leave")
    bo.click("leave-submit")
    bo.gone("thread-item")
    bo.says("notes", "You are no longer in this conversation.")
    assert not bo.has("composer")
    ann.gone("conversation-subtitle")
    group.gateway.api("DELETE", f"/v1/desk/threads/{group.thread}/members/ann")
    ann.gone("thread-item")
    ann.says("notes", "You are no longer in this conversation.")


def test_hidden_until_the_next_message(browser, gateway):
    group = Group(gateway, "Bo")
    group.say("Ann", "one")
    ann, bo = group.page(browser, "Ann"), group.page(browser, "Bo")
    ann.shows("one")
    ann.click("details")
    ann.click("hide")
    ann.gone("thread-item")
    assert not ann.has("composer") and bo.has("thread-item"), "only for her"
    ann.click("segment-hidden")
    ann.click("thread-item")
    ann.click("details")
    ann.click("unhide")
    ann.find("thread-item")
    ann.find("segment-open", "[aria-pressed=true]")
    ann.click("details")
    ann.click("hide")
    ann.gone("thread-item")
    bo.send("are you there?")
    ann.says("thread-item", "Bo: are you there?")
    ann.click("segment-hidden")
    ann.says("list-empty", "Nothing is hidden.")


def test_a_history_is_cleared_for_oneself(browser, gateway):
    group = Group(gateway, "Bo")
    for text in ("one", "two"):
        group.say("Ann", text)
    ann, bo = group.page(browser, "Ann"), group.page(browser, "Bo")
    for page in (ann, bo):
        page.shows("one", "two")
    ann.click("details")
    ann.click("reset-history")
    ann.click("reset-history-submit")
    ann.wait(lambda: ann.texts() == [], "it is gone")
    ann.says("thread-item", "No messages yet")
    ann.send("three")
    bo.shows("one", "two", "three")
    again = group.page(browser, "Ann")
    again.wait(lambda: again.texts() == ["three"], "and stays gone")


def test_a_history_is_cleared_for_all_at_the_desk(browser, gateway):
    group = Group(gateway, "Bo")
    group.say("Ann", "one")
    parent = group.answer("two")
    group.say("Bo", "a reply", parentId=parent["id"], alsoInThread=False)
    pages = [group.page(browser, "Ann"), group.page(browser, "Bo"), group.desk(browser)]
    for page in pages:
        page.shows("one", "two")
    desk = pages[-1]
    desk.click("details")
    desk.click("reset-history")
    desk.click("reset-history-submit")
    for page in pages:
        page.wait(lambda page=page: page.texts() == [], "it is gone")
    desk.send("three")
    for page in pages:
        page.wait(lambda page=page: page.texts() == ["three"], "and it goes on")


@pytest.mark.parametrize("side", ["customer", "desk"])
def test_messages_of_the_system_stand_apart(browser, gateway, side):
    group = Group(gateway, "Bo")
    group.say("Ann", "before")
    page = group.page(browser, "Ann") if side == "customer" else group.desk(browser)
    group.gateway.post(f"/v1/desk/threads/{group.thread}/messages", {"type": "admin", "text": "Mara has joined the conversation"})
    group.say("Ann", "after")
    page.shows("before", "Mara has joined the conversation", "after")
    admin = page.id_of("Mara has joined the conversation")
    look = page.js(
        "const [one] = all('message', `[data-id='${arguments[0]}']`); const bubble = one.querySelector('.bubble');"
        "const [a, b] = [bubble.getBoundingClientRect(), one.parentElement.getBoundingClientRect()];"
        "return {own: one.classList.contains('own'), middle: Math.abs((a.left + a.right) / 2 - (b.left + b.right) / 2),"
        "ground: getComputedStyle(bubble).backgroundColor, mark: one.querySelector('.mark').checkVisibility(),"
        "author: one.querySelector('.author').checkVisibility(), buttons: [...one.querySelectorAll('.actions button:not([hidden])')].map((one) => one.dataset.test)}",
        admin,
    )
    assert look["middle"] < 2, "in the middle"
    assert look["ground"] == "rgba(0, 0, 0, 0)", "without a bubble"
    assert not (look["own"] or look["mark"] or look["author"])
    assert "reply" not in look["buttons"] and "edit" not in look["buttons"]
    # The neighbours are no group across it.
    assert page.js("return all('message').map((one) => one.classList.contains('first'))") == [True, True, True]
