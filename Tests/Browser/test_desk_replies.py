"""Saved replies where one writes."""

import pytest
from selenium.webdriver.common.keys import Keys

from test_agents import MARA, desk_of
from test_desk import Customer, pick

THANKS = "Hello {customer.firstName|there}, thank you. {agent.publicName} of {channel.name}"


@pytest.fixture
def replies(gateway):
    Customer(gateway, "Ada").write("Ada asks", "a")
    for name, text, more in [
        ("Thanks", THANKS, {"shortcut": "thx"}),
        ("Hours", "From 9 to 5.", {}),
        ("Name", "Dear {customer.name}, your number is {thread.id}, {customer.lastName|x}.", {"channels": ["multi"]}),
        ("Other", "Only on the other channel", {"channels": ["single"]}),
    ]:
        gateway.post("/v1/desk/answers", {"name": name, "text": text, **more})


def options(page):
    return page.js("return all('saved-reply').map((one) => one.dataset.id)")


def chosen(page):
    """What the field says is chosen, as assistive technology is told."""
    return page.js("return document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.dataset.id ?? null")


def written(page):
    return page.js("return all('composer')[0].value")


def test_a_slash_opens_the_list_and_enter_takes_one(browser, gateway, replies):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.wait(lambda: desk.focused() == "composer", "the composer has the keyboard")
    desk.press("/")
    desk.wait(lambda: options(desk) == ["Hours", "Name", "Thanks"], "all are there, but for another channel's")
    assert desk.focused() == "saved-find" and written(desk) == ""
    roles = desk.js("const field = document.activeElement; const list = document.getElementById(field.getAttribute('aria-controls')); return [field.role, list.role, list.firstChild.role, field.getAttribute('aria-expanded')]")
    assert roles == ["combobox", "listbox", "option", "true"]
    assert chosen(desk) == "Hours"
    desk.press(Keys.ARROW_UP)
    assert chosen(desk) == "Thanks"
    desk.press("thx")
    desk.wait(lambda: options(desk) == ["Thanks"], "a shortcut is found")
    desk.press(Keys.ENTER)
    assert desk.focused() == "composer"
    assert written(desk) == "Hello Ada, thank you. Mara Lind of My requests"
    desk.press(Keys.ENTER)
    desk.shows("Ada asks", "Hello Ada, thank you. Mara Lind of My requests")


def test_escape_gives_back_what_was_typed(browser, gateway, replies):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.wait(lambda: desk.focused() == "composer", "the composer has the keyboard")
    desk.press("/", "tmp", Keys.ESCAPE)
    desk.gone("saved")
    assert written(desk) == "/tmp" and desk.focused() == "composer"
    desk.press("/x")
    assert written(desk) == "/tmp/x" and not desk.has("saved"), "only as the first sign"
    desk.chord(Keys.CONTROL, "k")
    desk.wait(lambda: options(desk), "Ctrl+K opens it anywhere")
    desk.press("hours", Keys.ENTER)
    assert written(desk) == "/tmp/xFrom 9 to 5."
    desk.chord(Keys.CONTROL, "k")
    desk.find("saved")
    desk.press(Keys.BACKSPACE)
    desk.gone("saved")
    assert written(desk) == "/tmp/xFrom 9 to 5."


def test_an_open_place_is_marked_and_asked_about(browser, gateway, replies):
    gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "nameless"}})
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "nameless"}})["id"]
    gateway.post(f"/v1/sessions/{session}/threads", {"id": "n"})
    gateway.post(f"/v1/sessions/{session}/threads/n/messages", {"text": "Who am I?"})
    desk = desk_of(browser, MARA, "/desk?thread=n")
    desk.shows("Who am I?")
    desk.press("/", "name", Keys.ENTER)
    filled = "Dear {customer.name}, your number is n, {customer.lastName|x}."
    desk.wait(lambda: written(desk) == filled, "Enter waits for the list, then takes the reply")
    desk.says("composer-problem", "Nothing is known for {customer.name}.")
    assert desk.js("const one = all('composer')[0]; return one.value.slice(one.selectionStart, one.selectionEnd)") == "{customer.name}"
    desk.press(Keys.END, Keys.ENTER)
    desk.find("open-places-dialog")
    desk.click("open-places-cancel")
    desk.wait(lambda: desk.focused() == "composer", "one writes on")
    assert desk.texts() == ["Who am I?"] and written(desk).startswith("Dear {")
    desk.press(Keys.ENTER)
    desk.click("open-places-submit")
    desk.shows("Who am I?", "Dear {customer.name}, your number is n, {customer.lastName|x}.")


def test_a_reply_is_changed(browser, gateway, replies):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.find("composer")
    desk.click("answers")
    desk.find("answer", "[data-id=Hours]")
    desk.js("all('answer', '[data-id=Hours]')[0].parentElement.querySelector('[data-test=answer-edit]').click()")
    desk.find("keep-answer-dialog")
    desk.fill("field-text", "From 9 to 6.")
    desk.write("field-shortcut", "open")
    desk.click("keep-answer-submit")
    desk.gone("keep-answer-dialog")
    kept = {one["name"]: one for one in gateway.get("/v1/desk/answers")["items"]}
    desk.wait(lambda: {one["name"]: one for one in gateway.get("/v1/desk/answers")["items"]}["Hours"]["text"] == "From 9 to 6.", "it is changed")
    assert {one["name"]: one for one in gateway.get("/v1/desk/answers")["items"]}["Hours"]["shortcut"] == "open"
    assert len(kept) == 4
