"""The desk by single keys, and what a person may choose about them."""

import pytest
from selenium.webdriver.common.keys import Keys

from page import PHONE
from test_agents import MARA, desk_of
from test_desk import Customer, lists, pick, titles


@pytest.fixture
def people(gateway):
    """Three customers who wait, the first one the longest."""
    made = {name: Customer(gateway, name) for name in ("Ada", "Ben", "Cleo")}
    for name, customer in made.items():
        customer.write(f"{name} asks", name.lower())
    return made


class Counted:
    """Presses keys, and counts them."""

    def __init__(self, page):
        self.page = page
        self.count = 0

    def press(self, *keys):
        for key in keys:
            self.page.press(key)
            self.count += 1

    def write(self, text):
        """What is said is not counted: it is the same with any desk."""
        self.page.press(text)

    def tab_to(self, hook, back=False):
        for _ in range(80):
            if self.page.focused() == hook:
                return
            self.page.shift(Keys.TAB) if back else self.page.press(Keys.TAB)
            self.count += 1
        raise AssertionError(f"Tab never reaches {hook}")


def held(page):
    """The name on the row that has the keyboard."""
    return page.js("return document.activeElement.closest('.thread')?.querySelector('.thread-title').textContent ?? null")


def test_rows_are_walked_and_opened(browser, gateway, people):
    desk = desk_of(browser, MARA)
    lists(desk, "Cleo", "Ben", "Ada")
    desk.js("document.activeElement.blur()")
    desk.press("j")
    assert held(desk) == "Cleo"
    desk.press("jj")
    assert held(desk) == "Ada"
    desk.press("j")
    assert held(desk) == "Ada", "there is no other"
    desk.press("k")
    assert held(desk) == "Ben"
    desk.press(Keys.ENTER)
    desk.shows("Ben asks")
    desk.wait(lambda: desk.focused() == "composer", "one can write at once")
    desk.press("jke")
    assert desk.js("return document.activeElement.value") == "jke", "in a field they are letters"
    desk.press(Keys.ESCAPE)
    desk.wait(lambda: held(desk) == "Ben", "Escape leaves the field")
    desk.press("r")
    desk.wait(lambda: desk.focused() == "composer", "r goes back into it")
    desk.press(Keys.BACKSPACE * 3, "Hello")
    desk.chord(Keys.CONTROL, Keys.ENTER)
    desk.shows("Ben asks", "Hello")


def test_what_is_done_with_a_conversation(browser, gateway, people):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.shows("Ada asks")
    desk.press(Keys.ESCAPE, "a")
    desk.says("assigned", "You")
    desk.press("u")
    desk.gone("assigned")
    desk.press("n")
    desk.find("note-dialog")
    desk.press("e is no key here")
    desk.click("note-submit")
    desk.says("note", "e is no key here")
    desk.press("z")
    desk.find("snooze-dialog")
    desk.press(Keys.ESCAPE)
    desk.gone("snooze-dialog")
    desk.press("e")
    desk.find("closed-note")
    lists(desk, "Cleo", "Ben")
    desk.press("o")
    desk.find("composer")
    lists(desk, "Cleo", "Ben", "Ada")


def test_filters_and_search(browser, gateway, people):
    gateway.post("/v1/desk/threads/ben/assign", {"agent": MARA})
    gateway.post("/v1/desk/threads/cleo/messages", {"text": "Yes", "agent": {"id": "bo", "name": "Bo"}})
    desk = desk_of(browser, MARA)
    desk.js("document.activeElement.blur()")
    desk.press("gm")
    lists(desk, "Ben")
    desk.press("gw")
    lists(desk, "Ben", "Ada")
    desk.click("segment-closed")
    lists(desk)
    desk.js("document.activeElement.blur()")
    desk.press("go")
    lists(desk, "Cleo", "Ben", "Ada")
    desk.press("/")
    desk.wait(lambda: desk.focused() == "search", "the search has the keyboard")
    assert desk.js("return document.activeElement.value") == "", "and not the key that led there"


@pytest.mark.parametrize("key", ["alt", "ctrl", "meta"])
def test_with_another_key_held_they_are_nothing(browser, gateway, people, key):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.press(Keys.ESCAPE)
    desk.js(
        "const how = {bubbles: true, cancelable: true, key: 'e', [`${arguments[0]}Key`]: true};"
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', how));"
        "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, key: 'e', isComposing: true}))",
        key,
    )
    desk.press("?")
    desk.find("keys-dialog")
    assert gateway.get("/v1/desk/threads/ada")["state"] != "closed"


def test_the_sheet_and_the_switch(browser, gateway, people):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.press(Keys.ESCAPE, "?")
    desk.find("keys-dialog")
    desk.press("e")
    assert gateway.get("/v1/desk/threads/ada")["state"] != "closed", "a dialog is open"
    desk.click("keys-on")
    desk.click("keys-close")
    desk.js("document.activeElement.blur()")
    desk.press("?ej")
    assert not desk.has("keys-dialog") and held(desk) is None
    assert gateway.get("/v1/desk/threads/ada")["state"] != "closed", "single keys are off"
    desk.reload()
    desk.ready()
    desk.press("?")
    assert not desk.has("keys-dialog"), "the browser remembers it"
    desk.click("desk-settings")
    desk.click("setting-keys")
    desk.click("settings-close")
    desk.js("document.activeElement.blur()")
    desk.press("?")
    desk.find("keys-dialog")


def test_the_next_one_opens_after_closing(browser, gateway, people):
    gateway.post("/v1/desk/threads/cleo/assign", {"agent": MARA})
    desk = desk_of(browser, MARA)
    pick(desk, "Ben")
    desk.shows("Ben asks")
    desk.press(Keys.ESCAPE, "e")
    desk.find("closed-note")
    assert desk.thread == "ben", "unless it was asked for"
    desk.click("reopen")
    desk.find("composer")
    desk.click("desk-settings")
    desk.click("setting-next")
    desk.click("settings-close")
    desk.click("close")
    desk.wait(lambda: desk.thread == "cleo", "mine comes first")
    desk.wait(lambda: desk.focused() == "composer", "and can be answered at once")
    desk.press(Keys.ESCAPE, "e")
    desk.wait(lambda: desk.thread == "ada", "then the one that nobody has")
    desk.press(Keys.ESCAPE, "e")
    desk.says("notes", "Nobody else is waiting.")
    assert desk.thread == "ada"


def test_several_are_chosen_by_keys(browser, gateway, people):
    desk = desk_of(browser, MARA)
    lists(desk, "Cleo", "Ben", "Ada")
    desk.js("document.activeElement.blur()")
    desk.press("jx")
    desk.says("selected", "1 chosen")
    desk.press("jj")
    desk.shift("x")
    desk.says("selected", "3 chosen")
    desk.press("x")
    desk.says("selected", "2 chosen")
    desk.press(Keys.ESCAPE)
    desk.gone("selected")


AFTERNOON = 20


def test_an_afternoon_by_keyboard_alone(browser, gateway):
    """Twenty conversations are answered and closed. Of the keys only those that lead somewhere are counted, not what is said.

    With Tab, Enter and arrows alone, at the desk without single keys, each took about 20 (see `test_an_afternoon_by_tab`)."""
    for number in range(AFTERNOON):
        Customer(gateway, f"C{number:02}").write("Is it open?", f"t{number:02}")
    desk = desk_of(browser, MARA)
    desk.wait(lambda: len(titles(desk)) == AFTERNOON, "all are there")
    desk.click("desk-settings")
    desk.click("setting-next")
    desk.click("settings-close")
    desk.js("document.activeElement.blur()")
    keys = Counted(desk)
    keys.press("k", Keys.END, Keys.ENTER)
    for number in range(AFTERNOON):
        thread = f"t{number:02}"
        desk.wait(lambda: desk.thread == thread and desk.focused() == "composer", f"{thread} can be answered")
        desk.shows("Is it open?")
        keys.write("Yes")
        keys.press(Keys.ENTER)
        desk.becomes("Yes", "delivered")
        keys.press(Keys.ESCAPE, "e")
    desk.says("notes", "Nobody else is waiting.")
    desk.wait(lambda: gateway.get("/v1/desk/threads?state=open")["items"] == [], "all are closed")
    print(f"{AFTERNOON} conversations by single keys: {keys.count} key presses")
    assert keys.count == 3 + 3 * AFTERNOON


def test_an_afternoon_by_tab(browser, gateway):
    """The same without single keys: with Tab, Enter, Escape and arrows."""
    for number in range(AFTERNOON):
        Customer(gateway, f"C{number:02}").write("Is it open?", f"t{number:02}")
    desk = desk_of(browser, MARA)
    desk.wait(lambda: len(titles(desk)) == AFTERNOON, "all are there")
    desk.js("all('desk-thread').at(-1).focus()")
    keys = Counted(desk)
    for number in range(AFTERNOON):
        thread = f"t{number:02}"
        keys.press(Keys.ENTER)
        desk.wait(lambda: desk.thread == thread and desk.focused() == "composer", f"{thread} can be answered")
        desk.shows("Is it open?")
        keys.write("Yes")
        keys.press(Keys.ENTER)
        desk.becomes("Yes", "delivered")
        keys.tab_to("close", back=True)
        keys.press(Keys.ENTER)
        if desk.has("close-dialog"):  # earlier versions asked
            keys.tab_to("close-submit")
            keys.press(Keys.ENTER)
        desk.find("closed-note")
        if number < AFTERNOON - 1:
            keys.tab_to("desk-thread", back=True)
            keys.press(Keys.END) if held(desk) != f"C{number + 1:02}" else None
    print(f"{AFTERNOON} conversations by Tab: {keys.count} key presses")


def test_keys_on_a_phone_do_no_harm(browser, gateway, people):
    desk = desk_of(browser, MARA, size=PHONE)
    pick(desk, "Ada")
    desk.find("composer")
    desk.js("document.activeElement.blur()")
    desk.press("/jx")
    assert desk.thread == "ada" and not desk.has("selected")
