"""The customer beside a conversation: what is known, what is changed in place, what is noted."""

import json

import pytest
from selenium.webdriver.common.keys import Keys

from test_agents import MARA, desk_of
from test_desk import Customer, pick

WIDE = (1440, 900)
FIELDS = [
    {"ident": "number", "label": "Customer number", "type": "text"},
    {"ident": "plan", "label": "Plan", "type": "list", "options": [{"id": "s", "label": "Small"}, {"id": "l", "label": "Large"}]},
]


@pytest.fixture
def ada(gateway):
    gateway.api("PATCH", "/v1/desk/channels/multi", {"customerFields": FIELDS})
    ada = Customer(gateway, "Ada")
    ada.write("Ada asks", "a")
    return ada


def known(gateway, customer="ada"):
    return gateway.get(f"/v1/desk/customers/{customer}?channel=multi")


def open_panel(browser):
    desk = desk_of(browser, MARA, size=WIDE)
    pick(desk, "Ada")
    desk.find("profile")
    return desk


def watch_requests(page):
    page.js(
        "window.sent = []; const send = window.fetch;"
        "window.fetch = (url, options) => { if (options?.method === 'PATCH') window.sent.push(JSON.parse(options.body)); return send(url, options); }"
    )


def test_a_field_is_changed_in_place_at_once_and_not_letter_by_letter(browser, gateway, ada):
    desk = open_panel(browser)
    watch_requests(desk)
    desk.click("change-custom-number")
    field = "return document.activeElement.dataset.test"
    assert desk.js(field) == "field-custom-number"
    desk.js("window.field = document.activeElement")
    for letter in "K-47":
        desk.press(letter)
    # What comes meanwhile is shown, and does not touch the field.
    gateway.api("PATCH", "/v1/desk/customers/ada?channel=multi", {"lastName": "Lovelace"})
    desk.says("fact-lastName", "Lovelace")
    assert desk.js("return window.field === document.activeElement && window.field.value") == "K-47"
    assert desk.js("return window.sent") == [], "nothing is sent while one writes"
    desk.press("11", Keys.ENTER)
    desk.says("fact-custom-number", "K-4711")
    desk.wait(lambda: known(gateway)["customFields"].get("number") == "K-4711", "it is kept")
    assert desk.js("return window.sent") == [{"customFields": {"number": "K-4711"}}], "once"
    assert desk.focused() == "change-custom-number", "the keyboard is where it was"


def test_escape_and_an_unchanged_value_send_nothing(browser, gateway, ada):
    desk = open_panel(browser)
    watch_requests(desk)
    desk.click("change-firstName")
    desk.press("Grace", Keys.ESCAPE)
    assert desk.text("fact-firstName") == "Ada"
    desk.press(Keys.ENTER)
    desk.find("field-firstName")
    desk.press(Keys.TAB)
    desk.gone("field-firstName")
    assert desk.js("return window.sent") == []
    assert desk.thread == "a", "Escape in a field leaves nothing else"


def test_a_list_shows_labels(browser, gateway, ada):
    desk = open_panel(browser)
    desk.click("change-custom-plan")
    desk.js("const one = document.activeElement; one.value = 'l'; one.dispatchEvent(new Event('change'))")
    desk.press(Keys.ENTER)
    desk.says("fact-custom-plan", "Large")
    desk.wait(lambda: known(gateway)["customFields"].get("plan") == "l", "its id is kept")


def test_what_is_refused_comes_back(browser, gateway, ada, console):
    console.expect("status of 4")
    console.expect("ParleyError")
    desk = open_panel(browser)
    desk.click("change-email")
    desk.press("no address", Keys.ENTER)
    desk.find("notes")
    desk.wait(lambda: desk.text("fact-email") == "–", "the old value is there again")


def test_notes_on_the_customer(browser, gateway, ada):
    desk = open_panel(browser)
    desk.write("customer-note-text", "Prefers the telephone")
    desk.click("customer-note-add")
    desk.says("customer-note", "Prefers the telephone")
    desk.says("customer-note", "Mara Lind")
    desk.reload()
    desk.ready()
    desk.says("customer-note", "Prefers the telephone")
    desk.click("customer-note-remove")
    desk.gone("customer-note")
    assert gateway.get("/v1/desk/customers/ada/notes?channel=multi")["items"] == []


def test_when_they_were_here_and_what_they_rated(browser, gateway, ada):
    gateway.api("PATCH", "/v1/desk/channels/multi", {"rating": "numbers"})
    ada.write("The other one", "b")
    gateway.post("/v1/desk/threads/b/messages", {"text": "Yes", "agent": MARA})
    gateway.post("/v1/desk/threads/b/close")
    gateway.api("PUT", f"/v1/sessions/{ada.session}/threads/b/rating", {"score": 4})
    desk = open_panel(browser)
    facts = desk.js("return Object.fromEntries([...all('customer-facts')[0].querySelectorAll('dt')].map((one) => [one.textContent, one.nextSibling.textContent]))")
    assert facts["Id"] == "ada" and "Verified" not in facts
    assert facts["Ratings"] == "4 of 5 (1 rating)"
    assert {"First seen", "Last seen"} <= set(facts)
    desk.says("other-thread", "rated 4")


def test_what_a_visitor_s_page_says_is_text(browser, gateway):
    """What strangers say of themselves: a page that is none of the web is no link, a zone and a language that do not exist are shown as they are."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "eve", "firstName": "<b>Eve</b>"}})["id"]
    gateway.post(f"/v1/sessions/{session}/threads", {"id": "e"})
    gateway.post(f"/v1/sessions/{session}/threads/e/messages", {"text": "hello"})
    desk = browser.page(agent=MARA, size=WIDE)
    visit = {"page": "javascript:alert(1)", "title": "<i>Cart</i>", "language": "<x>", "timeZone": "Mars/Olympus", "device": "<u>Toaster</u>"}
    source = (
        "const send = window.fetch; window.fetch = async (url, options) => { const answer = await send(url, options);"
        "if (!String(url).endsWith('/v1/batch')) return answer;"
        "const {items} = await answer.json();"
        f"for (const {{body}} of items) if (body?.firstSeenAt) body.visit = {json.dumps(visit)};"
        "return new Response(JSON.stringify({items}), {status: 200, headers: {'Content-Type': 'application/json'}}); }"
    )
    desk.cdp("Page.addScriptToEvaluateOnNewDocument", source=source)
    desk.go("/desk?thread=e")
    desk.ready()
    desk.says("customer-facts", "javascript:alert(1)")
    for said in ("<x>", "Mars/Olympus", "<u>Toaster</u>"):
        desk.says("customer-facts", said)
    assert desk.js("return all('beside')[0].querySelectorAll('a:not([download]), b, i, u').length") == 0
