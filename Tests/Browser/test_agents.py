"""What agents have at the desk: their name, whose conversations they see, how long customers wait, and what stands beside."""

import json

import pytest

from page import DESKTOP, PHONE
from test_desk import Customer, lists, pick, titles

MARA, BO = {"id": "mara", "name": "Mara Lind"}, {"id": "bo", "name": "Bo Berg"}


@pytest.fixture
def people(gateway):
    """Four customers: Mara has Ada, Bo has Ben, nobody has Cleo and Dan; Cleo and Ada wait for an answer."""
    made = {}
    for name, agent, answer in [("Ada", MARA, False), ("Ben", BO, True), ("Cleo", None, False), ("Dan", None, True)]:
        made[name] = Customer(gateway, name)
        made[name].write(f"{name} asks", name.lower())
        if agent:
            gateway.post(f"/v1/desk/threads/{name.lower()}/assign", {"agent": agent})
        if answer:
            gateway.post(f"/v1/desk/threads/{name.lower()}/messages", {"text": "Yes", "agent": BO})
    return made


def desk_of(browser, agent, path="/desk", **look):
    page = browser.page(agent=agent, **look)
    page.go(path)
    page.ready()
    return page


def said(page, hook):
    """What each item of the list says there; None where it says nothing."""
    script = "return Object.fromEntries(all('desk-thread').map((one) => [one.querySelector('.thread-title').textContent, [...one.querySelectorAll(`[data-test=${arguments[0]}]`)].filter(shown)[0]?.textContent ?? null]))"
    return page.js(script, hook)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_name_is_asked_first(browser, gateway, people, size):
    page = browser.page("/desk", agent=None, size=size)
    page.find("agent-screen")
    assert not page.has("desk-thread"), "nobody answers without a name"
    assert page.focused() == "agent-name"
    page.click("agent-submit")
    assert page.has("agent-screen"), "a name is needed"
    page.press("  Mara Lind ", "\ue007")
    page.ready()
    pick(page, "Cleo")
    page.send("Good morning")
    page.becomes("Good morning", "delivered")
    [answer, _] = gateway.desk_messages("cleo")[::-1]
    assert answer["author"]["name"] == "Mara Lind" and answer["author"]["id"].startswith("agent-")
    page.reload()
    page.ready()
    assert not page.has("agent-screen"), "the browser remembers it"
    assert json.loads(page.js("return localStorage.getItem('parley.agent')")) == {"id": answer["author"]["id"], "name": "Mara Lind"}


def test_the_list_says_whose_it_is_and_who_waits(browser, gateway, people):
    desk = desk_of(browser, MARA)
    lists(desk, "Dan", "Cleo", "Ben", "Ada")
    assert said(desk, "assignee") == {"Dan": "Nobody", "Cleo": "Nobody", "Ben": "Bo Berg", "Ada": "You"}
    assert said(desk, "waits") == {"Dan": None, "Cleo": "waits", "Ben": None, "Ada": "waits"}
    # Six minutes later, and the clock of this browser says so.
    desk.js("const now = Date.now; Date.now = () => now() + 6 * 60_000 + 30_000")
    people["Dan"].write("And now?", "dan")
    gateway.post("/v1/desk/threads/cleo/messages", {"text": "Yes", "agent": BO})
    desk.wait(lambda: said(desk, "waits") == {"Dan": "waits 6 min", "Cleo": None, "Ben": None, "Ada": "waits 6 min"}, "the list follows")
    gateway.post("/v1/desk/threads/dan/assign", {"agent": BO})
    desk.wait(lambda: said(desk, "assignee")["Dan"] == "Bo Berg", "it says who has it now")


def test_mine_unassigned_and_waiting(browser, gateway, people):
    desk = desk_of(browser, MARA)
    for name, wanted in [("mine", ["Ada"]), ("unassigned", ["Dan", "Cleo"]), ("waiting", ["Cleo", "Ada"]), ("all", ["Dan", "Cleo", "Ben", "Ada"])]:
        desk.click(f"filter-{name}")
        lists(desk, *wanted)
        assert desk.js("return all(arguments[0])[0].getAttribute('aria-pressed')", f"filter-{name}") == "true"
    desk.click("filter-unassigned")
    lists(desk, "Dan", "Cleo")
    pick(desk, "Cleo")
    desk.click("assign")
    lists(desk, "Dan")
    desk.click("filter-mine")
    lists(desk, "Cleo", "Ada")
    people["Ada"].write("Are you there?", "ada")
    lists(desk, "Ada", "Cleo")
    desk.click("segment-closed")
    lists(desk)
    assert not desk.has("filter-mine"), "what is closed is nobody's"


def test_a_filter_looks_beyond_the_first_page(browser, gateway):
    ada = Customer(gateway, "Ada")
    for number in range(70):
        ada.write(f"message {number}", f"t{number}")
    gateway.post("/v1/desk/threads/t3/assign", {"agent": MARA})
    gateway.api("PATCH", "/v1/desk/threads/t2", {"name": "Lost lamp"})
    desk = desk_of(browser, MARA)
    desk.wait(lambda: len(titles(desk)) == 50, "one page is there")
    desk.fill("search", "lost LAMP")
    desk.wait(lambda: desk.items("found-thread") == ["t2"], "its title is searched for at the gateway")
    desk.click("search-clear")
    desk.click("filter-mine")
    desk.wait(lambda: desk.items("desk-thread") == ["t3"], "it is found on the second page")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_conversation_is_handed_over_and_back_in_sight(browser, gateway, people, size):
    """In the header; on a phone, which has no room there, among the details."""
    desk = desk_of(browser, MARA, size=size)
    pick(desk, "Ada")
    desk.find("composer")
    at = "details" if size == PHONE else None
    desk.click(at) if at else None
    desk.click("transfer")
    desk.find("field-name")
    proposed = "return [...document.querySelector('[data-test=field-name]').list.options].map((one) => one.value)"
    assert desk.js(proposed) == ["Bo Berg"], "who has other conversations is proposed"
    desk.write("field-name", "Bo Berg")
    desk.click("transfer-submit")
    desk.says("assigned", "Bo Berg")
    assert gateway.get("/v1/desk/threads/ada")["agent"] == BO
    desk.click(at) if at else None
    desk.click("release")
    desk.gone("assigned")
    assert "agent" not in gateway.get("/v1/desk/threads/ada")
    desk.find("assign")
    assert not desk.has("release") and not desk.has("transfer"), "nobody has it"


def test_the_transcript_can_be_saved(browser, gateway, people):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.says("beside-name", "Ada")
    saved = "return fetch(all('transcript-file')[0].href).then((answer) => answer.text())"
    # A click that comes before the ticket waits for it; this reads the link itself.
    desk.wait(lambda: "Ada asks" in desk.js(saved), "the link leads to the transcript")
    assert "<h1" in desk.js(saved)
    pick(desk, "Ben")
    desk.wait(lambda: "Ben asks" in desk.js(saved), "the link is that of the conversation on show")
    assert desk.js("return all('transcript-file')[0].download") == ""


def test_the_customer_s_other_conversations_stand_beside(browser, gateway, people):
    ada = people["Ada"]
    gateway.api("PATCH", "/v1/desk/channels/multi", {"contactFields": [{"ident": "order", "label": "Order", "type": "text"}]})
    ada.write("An older matter", "old")
    gateway.api("PATCH", f"/v1/sessions/{ada.session}/threads/old", {"name": "Broken lamp"})
    gateway.post("/v1/desk/threads/old/close")
    gateway.api("PUT", f"/v1/sessions/{ada.session}/threads/ada/customFields", {"customFields": {"order": "4711"}})
    desk = desk_of(browser, MARA)
    assert not desk.has("beside")
    pick(desk, "Ada")
    desk.says("beside-name", "Ada")
    desk.says("beside-facts", "Order4711")
    others = "return all('other-thread').map((one) => one.querySelector('.sibling-title').textContent)"
    desk.wait(lambda: desk.js(others) == ["Broken lamp"], "also the closed one, which no list has loaded")
    ada.write("One thing more", "more")
    desk.wait(lambda: desk.js(others) == ["One thing more", "Broken lamp"], "it follows")
    desk.click("other-thread", '[data-id="old"]')
    desk.shows("An older matter")
    desk.find("closed-note")
    desk.wait(lambda: desk.js(others) == ["One thing more", "Ada asks"], "and leads back")
    desk.history_back()
    desk.shows("Ada asks")
    pick(desk, "Ben")
    desk.find("no-others")
    desk.look(size=(1000, 800))
    assert not desk.has("beside"), "there is no room for it"
    pick(desk, "Ada")
    desk.click("details")
    desk.click("others")
    desk.wait(lambda: len(desk.js(others)) == 2, "they are among the details")
    desk.click("other-thread", '[data-id="old"]')
    desk.gone("beside-dialog")
    desk.shows("An older matter")


def test_a_long_question_leaves_room_for_its_answer(browser, gateway, people, shots):
    fields = [{"ident": "order", "label": "Which order is it about, and when did you place it with us?", "type": "text"}]
    gateway.api("PATCH", "/v1/desk/channels/multi", {"contactFields": fields})
    gateway.api("PUT", f"/v1/sessions/{people['Ada'].session}/threads/ada/customFields", {"customFields": {"order": "Order4711of2026"}})
    desk = desk_of(browser, MARA, size=(1280, 800))
    pick(desk, "Ada")
    desk.says("beside-facts", "Order4711of2026")
    desk.screenshot(shots / "desk-beside-facts.png")
    box = desk.js("const { width, height } = document.querySelector('.beside dd').getBoundingClientRect(); return [width, height]")
    assert box[0] > 150 and box[1] < 30, "the answer stands in one line"


def test_titles_are_searched_too(browser, gateway, people):
    ada = people["Ada"]
    gateway.api("PATCH", f"/v1/sessions/{ada.session}/threads/ada", {"name": "Zerbrochene Lampe é"})
    desk = desk_of(browser, MARA)
    desk.wait(lambda: "Zerbrochene" in desk.js("return all('desk-thread').map((one) => one.textContent).join()"), "the name is known")
    desk.write("search", "LAMPE E")
    found = "return all('found-thread').map((one) => one.dataset.id)"
    desk.wait(lambda: desk.js(found) == ["ada"], "by its name")
    desk.press("\ue015", "\ue007")  # down, Enter
    desk.shows("Ada asks")
    desk.fill("search", "cleo")
    desk.wait(lambda: desk.js(found) == ["cleo"] and desk.js("return all('found').length") == 1, "by the customer's name, above the messages")
    desk.fill("search", "nowhere")
    desk.says("search-note", "Nothing")
    assert desk.js(found) == []


def test_kept_answers(browser, gateway, people):
    desk = desk_of(browser, MARA)
    pick(desk, "Cleo")
    desk.click("answers")
    assert not desk.has("answer") and not desk.has("answer-keep")
    desk.press("\ue00c")
    desk.write("composer", "We are open **all day**.")
    desk.click("answers")
    desk.click("answer-keep")
    desk.write("field-name", "hours")
    desk.click("keep-answer-submit")
    desk.fill("composer", "Dear Cleo, ")
    desk.click("answers")
    desk.wait(lambda: desk.focused() == "answer", "the answer has the keyboard")
    desk.press("\ue007")
    desk.gone("answers-dialog")
    assert desk.focused() == "composer", "one goes on writing"
    desk.press("\ue007")
    desk.shows("Dear Cleo, We are open all day.")
    [kept] = gateway.get("/v1/desk/answers")["items"]
    assert (kept["name"], kept["text"]) == ("hours", "We are open **all day**.")
    desk.reload()
    desk.ready()
    desk.find("composer")
    desk.click("answers")
    desk.wait(lambda: desk.js("return all('answer').map((one) => one.dataset.id)") == ["hours"], "it is kept")
    # Another agent keeps one meanwhile, and takes the first one away.
    gateway.post("/v1/desk/answers", {"name": "address", "text": "Long Lane 1"})
    gateway.api("DELETE", f"/v1/desk/answers/{kept['id']}")
    desk.wait(lambda: desk.js("return all('answer').map((one) => one.dataset.id)") == ["address"], "the dialog follows")
    desk.click("answer-remove")
    desk.gone("answer")
    desk.press("\ue00c")
    assert gateway.get("/v1/desk/answers")["items"] == []
