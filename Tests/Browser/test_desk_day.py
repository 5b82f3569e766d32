"""What a team does with its conversations all day: by order, put off, opened again, tagged, several at once, by views of one's own."""

import datetime

import pytest
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE
from test_agents import BO, MARA, desk_of, said
from test_desk import Customer, lists, pick


@pytest.fixture
def people(gateway):
    """Ada waits the longest, for Mara; then Ben, for nobody; Cleo has her answer."""
    made = {name: Customer(gateway, name) for name in ("Ada", "Ben", "Cleo")}
    for name, customer in made.items():
        customer.write(f"{name} asks", name.lower())
    gateway.post("/v1/desk/threads/ada/assign", {"agent": MARA})
    gateway.post("/v1/desk/threads/cleo/messages", {"text": "Yes", "agent": BO})
    return made


def choose(page, hook, value):
    page.put(hook, value)


def count(page, hook):
    return page.js("return [...(all(arguments[0])[0]?.querySelectorAll('.count') ?? [])].filter(shown)[0]?.textContent ?? null", hook)


def counted(page, **wanted):
    hooks = {"open": "segment-open", "snoozed": "segment-snoozed", "waiting": "filter-waiting", "unassigned": "filter-unassigned"}
    page.wait(lambda: {name: count(page, hooks[name]) for name in wanted} == wanted, f"the counts are {wanted}")


def test_the_longest_wait_comes_first(browser, gateway, people):
    desk = desk_of(browser, MARA)
    lists(desk, "Cleo", "Ben", "Ada")
    choose(desk, "order", "waiting")
    lists(desk, "Ada", "Ben", "Cleo")
    people["Ada"].write("And?", "ada")
    people["Cleo"].write("One more", "cleo")
    desk.wait(lambda: said(desk, "waits") == {"Ada": "waits", "Ben": "waits", "Cleo": "waits"}, "all wait")
    lists(desk, "Ada", "Ben", "Cleo")
    gateway.post("/v1/desk/threads/ada/messages", {"text": "Yes", "agent": MARA})
    lists(desk, "Ben", "Cleo", "Ada")
    desk.reload()
    desk.ready()
    lists(desk, "Ben", "Cleo", "Ada")


def test_counts_follow(browser, gateway, people):
    desk = desk_of(browser, MARA)
    counted(desk, open="3", waiting="2", unassigned="2")
    people["Cleo"].write("One more", "cleo")
    counted(desk, open="3", waiting="3")
    gateway.post("/v1/desk/threads/ben/assign", {"agent": BO})
    gateway.post("/v1/desk/threads/ada/close")
    counted(desk, open="2", waiting="2", unassigned="1")
    assert "waits" in desk.js("return all('filter-waiting')[0].title"), "how long the longest waits"
    Customer(gateway, "Dan", "single").write("On another channel", gateway.get(f"/v1/sessions/{Customer(gateway, 'Dan', 'single').session}/threads")["items"][0]["id"])
    counted(desk, open="3")
    choose(desk, "channel-filter", "single")
    counted(desk, open="1", waiting="1", unassigned="1")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_conversation_is_put_off_and_comes_back(browser, gateway, people, size):
    desk = desk_of(browser, MARA, size=size)
    pick(desk, "Ada")
    desk.find("composer")
    desk.click("details") if size == PHONE else None
    desk.click("snooze")
    desk.click("snooze-tomorrow")
    desk.says("strip-facts", "Put off until")
    desk.says("strip-facts", "Mara Lind")
    tomorrow = datetime.datetime.now().replace(hour=9, minute=0, second=0, microsecond=0) + datetime.timedelta(days=1)
    until = gateway.get("/v1/desk/threads/ada")["snooze"]
    assert datetime.datetime.fromisoformat(until["until"]).timestamp() == tomorrow.timestamp() and until["wakeOnReply"] is True
    desk.click("back") if size == PHONE else None
    lists(desk, "Cleo", "Ben")
    counted(desk, open="2", snoozed="1")
    desk.click("segment-snoozed")
    lists(desk, "Ada")
    people["Ada"].write("I am back", "ada")
    lists(desk)
    desk.click("segment-open")
    lists(desk, "Ada", "Cleo", "Ben")


def test_a_time_of_one_s_own_and_back_by_hand(browser, gateway, people):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.find("composer")
    desk.click("snooze")
    desk.put("snooze-own", "2020-01-01T10:00")
    desk.click("snooze-submit")
    assert desk.has("snooze-dialog"), "that is long ago"
    in_ten_days = (datetime.datetime.now() + datetime.timedelta(days=10)).strftime("%Y-%m-%dT%H:%M")
    desk.put("snooze-own", in_ten_days)
    desk.click("snooze-wakes")
    desk.click("snooze-submit")
    desk.says("strip-facts", "Put off until")
    assert gateway.get("/v1/desk/threads/ada")["snooze"]["wakeOnReply"] is False
    people["Ada"].write("Nobody hears me", "ada")
    desk.shows("Ada asks", "Nobody hears me")
    lists(desk, "Cleo", "Ben")
    desk.click("snooze")
    desk.click("snooze-wake")
    lists(desk, "Ada", "Cleo", "Ben")
    assert "snooze" not in gateway.get("/v1/desk/threads/ada")


def test_closed_and_opened_again(browser, gateway, people):
    desk = desk_of(browser, MARA)
    pick(desk, "Ada")
    desk.find("composer")
    desk.click("close")
    desk.find("closed-note")
    desk.gone("close")
    desk.gone("assign")
    desk.click("reopen")
    desk.find("composer")
    assert gateway.get("/v1/desk/threads/ada")["state"] != "closed"


def tags_of(page):
    return page.js("return [...(all('tags')[0]?.children ?? [])].map((one) => [one.textContent, one.dataset.colour])")


def test_tags(browser, gateway, people):
    gateway.post("/v1/desk/tags", {"name": "Invoice", "colour": "red"})
    desk, other = desk_of(browser, MARA), desk_of(browser, BO)
    pick(desk, "Ada")
    desk.find("composer")
    desk.click("tag")
    desk.find("tag-box")
    desk.press("deliv")
    desk.gone("tag-box")
    desk.fill("tag-find", "Delivery")
    desk.click("tag-make")
    desk.find("tag-box", ":checked")
    desk.press("inv", Keys.ENTER)
    desk.click("tags-submit")
    desk.wait(lambda: [name for name, _ in tags_of(desk)] == ["Invoice", "Delivery"], "the conversation has both")
    names = {one["id"]: one["name"] for one in gateway.get("/v1/desk/tags")["items"]}
    assert sorted(names[one] for one in gateway.get("/v1/desk/threads/ada")["tags"]) == ["Delivery", "Invoice"]
    # The other desk follows, and looks for one.
    other.wait(lambda: other.js("return all('list-tags').map((one) => [...one.children].map((chip) => chip.textContent))") == [["Invoice", "Delivery"]], "the list shows them")
    delivery = next(tag for tag, name in names.items() if name == "Delivery")
    choose(other, "tag-filter", delivery)
    lists(other, "Ada")
    choose(other, "tag-filter", "")
    lists(other, "Cleo", "Ben", "Ada")
    # A tag is changed and removed for all.
    desk.click("tag")
    desk.click("tag-edit", f"[data-id='{delivery}']")
    desk.fill("field-name", "Parcels")
    desk.click("tag-submit")
    other.wait(lambda: "Parcels" in str(other.js("return all('list-tags')[0]?.textContent")), "it has another name")
    desk.click("tag-edit", f"[data-id='{delivery}']")
    desk.click("tag-remove")
    desk.click("remove-tag-submit")
    other.wait(lambda: other.js("return all('list-tags').map((one) => one.textContent)") == ["Invoice"], "it is gone everywhere")


def test_several_at_once(browser, gateway, people):
    gateway.post("/v1/desk/tags", {"name": "Invoice", "colour": "red"})
    desk = desk_of(browser, MARA)
    lists(desk, "Cleo", "Ben", "Ada")
    desk.click("select")
    desk.says("selected", "0 chosen")
    assert desk.js("return all('bulk-close')[0].disabled")
    desk.click("select-thread", "[data-id=ben]")
    desk.click("desk-thread", "[data-id=cleo]")
    desk.says("selected", "2 chosen")
    assert desk.thread is None, "a click chooses, and opens nothing"
    desk.click("bulk-assign")
    desk.wait(lambda: said(desk, "assignee") == {"Cleo": "You", "Ben": "You", "Ada": "You"}, "both are mine")
    desk.gone("selected")
    desk.click("select")
    desk.click("select-all")
    desk.says("selected", "3 chosen")
    desk.click("bulk-tag")
    desk.click("tag-box")
    desk.click("tags-submit")
    desk.wait(lambda: desk.js("return all('list-tags').length") == 3, "each has it")
    desk.click("select")
    desk.click("select-all")
    desk.says("selected", "3 chosen")
    gateway.post("/v1/desk/threads/cleo/close")
    desk.says("selected", "2 chosen")
    gateway.post("/v1/desk/threads/cleo/reopen")
    lists(desk, "Cleo", "Ben", "Ada")
    desk.click("bulk-close")
    desk.says("bulk-close-dialog", "Close 2 conversations?")
    desk.click("bulk-close-submit")
    lists(desk, "Cleo")


def test_views_of_one_s_own(browser, gateway, people):
    desk = desk_of(browser, MARA)
    desk.click("filter-waiting")
    choose(desk, "order", "waiting")
    lists(desk, "Ada", "Ben")
    desk.click("views")
    desk.write("view-name", "Who waits")
    desk.click("view-keep")
    desk.find("view", "[data-id='Who waits']")
    desk.click("views-close")
    desk.click("segment-closed")
    choose(desk, "order", "activity")
    desk.reload()
    desk.ready()
    lists(desk, "Cleo", "Ben", "Ada")
    desk.click("views")
    desk.click("view", "[data-id='Who waits']")
    lists(desk, "Ada", "Ben")
    assert desk.js("return all('filter-waiting')[0].getAttribute('aria-pressed')") == "true"
    desk.click("views")
    desk.click("view-remove")
    desk.gone("view")


def test_a_tone_in_one_tab_if_it_is_wanted(browser, gateway, people):
    pages = [desk_of(browser, MARA) for _ in range(2)]
    for page in pages:
        page.js("window.tones = 0; const start = OscillatorNode.prototype.start; OscillatorNode.prototype.start = function (...at) { window.tones += 0.5; return start.apply(this, at); }")

    def tones():
        return sum(page.js("return window.tones") for page in pages)

    people["Ben"].write("Nobody has me", "ben")
    lists(pages[0], "Ben", "Cleo", "Ada")
    assert tones() == 0, "it is off"
    pages[0].click("desk-settings")
    pages[0].click("setting-soundWaiting")
    pages[0].wait(lambda: tones() == 1, "so it sounds")
    pages[0].click("settings-close")
    pages[1].click("search")
    lock = "return navigator.locks.query().then(({held}) => held.some(({name}) => name === 'parley.desk.sound'))"
    pages[0].wait(lambda: not pages[0].js(lock), "the pause is over")
    people["Ada"].write("Mara has me", "ada")
    people["Ben"].write("Is nobody there?", "ben")
    pages[0].wait(lambda: tones() == 2, "one tab sounds")
    for page in pages:
        lists(page, "Ben", "Ada", "Cleo")
    assert tones() == 2
