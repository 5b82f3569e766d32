"""The desk's webhooks: how each does, its deliveries, and what can be done with them."""

import pytest
from selenium.webdriver.common.keys import Keys

from receiver import Receiver

INVALID = "return all(arguments[0])[0]?.getAttribute('aria-invalid') === 'true'"


def aborted(request):
    """The receiver never wants this event: its delivery is dead at once."""
    return 422, {"webhook-delivery": "abort-message"}, b"no"


def away(request):
    return 503, {}, b"We are closed."


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


@pytest.fixture
def hook(gateway, receiver):
    gateway.post("/v1/webhooks", {"id": "crm", "url": receiver.url, "types": ["message.created"]})
    return "/v1/webhooks/crm"


@pytest.fixture
def say(gateway):
    """A customer who writes."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {})["id"]
    return lambda text: gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": text})


def show(browser, name=None):
    page = browser.desk()
    page.click("webhooks")
    if name:
        page.click("webhook", f'[data-id="{name}"]')
        page.find("webhook-about")
    return page


def states(page):
    return page.js("return all('delivery').map((one) => one.querySelector('[data-test=delivery-state]').dataset.state)")


def delivered(page, *expected):
    page.wait(lambda: states(page) == list(expected), f"the deliveries are {expected}")


def test_one_is_added_and_its_secret_shown_once(browser, gateway, receiver, say):
    page = show(browser)
    page.says("webhooks-empty", "There is no webhook yet")
    page.click("add-webhook")
    page.fill("field-url", receiver.url)
    page.fill("field-description", "For the archive")
    page.fill("field-types", "message.created thread.created")
    page.click("add-header")
    page.fill("header-name", "X-Key")
    page.fill("header-value", "4711: yes")
    page.click("add-webhook-submit")
    secret = page.find("secret").get_attribute("value")
    assert secret.startswith("whsec_")
    page.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    page.click("secret-copy")
    page.says("secret-copied", "Copied.")
    assert page.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])") == secret
    page.click("secret-done")
    page.says("webhook", "For the archive")
    made, = gateway.get("/v1/webhooks")["items"]
    assert made["types"] == ["message.created", "thread.created"]
    assert (made["headerNames"], made["audience"]) == (["X-Key"], {"desk": True})
    page.click("webhook")
    page.says("webhook-about", "X-Key")
    assert secret not in page.js("return document.documentElement.outerHTML")
    say("hello")
    delivered(page, "delivered", "delivered")


def test_settings_that_are_refused_can_be_mended(browser, gateway, console):
    console.expect("status of 422")
    page = show(browser)
    page.click("add-webhook")
    page.fill("field-url", f"{gateway.address}/v1/info")
    page.fill("field-description", "Myself")
    page.click("add-webhook-submit")
    page.wait(lambda: page.js(INVALID, "field-url"), "the URL is refused")
    page.fill("field-url", "https://receiver.example/")
    page.fill("field-types", "message.eaten")
    page.click("add-webhook-submit")
    page.wait(lambda: page.js(INVALID, "field-types"), "the type is refused")
    assert page.focused() == "field-types"
    page.fill("field-types", "")
    page.click("add-webhook-submit")
    page.click("secret-done")
    page.says("webhook", "Myself")


LOSE_AN_ANSWER = """
    const real = window.fetch;
    window.fetch = async (...args) => {
      const answer = await real(...args);
      if (args[1]?.method !== 'POST' || !String(args[0]).endsWith('/v1/webhooks')) return answer;
      window.fetch = real;
      throw new TypeError('the answer is lost');
    };"""


def test_one_whose_answer_was_lost_is_added_once(browser, gateway, receiver):
    page = show(browser)
    page.click("add-webhook")
    page.fill("field-url", receiver.url)
    page.js(LOSE_AN_ANSWER)
    page.click("add-webhook-submit")
    page.wait(lambda: page.js("return window.fetch.name === 'fetch' && all('add-webhook-submit').length === 1"), "it is asked again")
    page.click("add-webhook-submit")
    page.click("secret-done")
    assert [one["url"] for one in gateway.get("/v1/webhooks")["items"]] == [receiver.url]


def test_two_headers_of_one_name_are_refused(browser, gateway, receiver):
    page = show(browser)
    page.click("add-webhook")
    page.fill("field-url", receiver.url)
    for name in ["X-Team", "X-Team"]:
        page.click("add-header")
        page.js("const named = all('header-name'); named[named.length - 1].value = arguments[0]", name)
        page.js("const values = all('header-value'); values[values.length - 1].value = 'a'")
    page.click("add-webhook-submit")
    marked = "return all('header-value').filter((one) => one.getAttribute('aria-invalid') === 'true').length"
    page.wait(lambda: page.js(marked) == 2, "both are marked")
    assert gateway.get("/v1/webhooks")["items"] == []


def own(page, text):
    """Chooses a time of this computer, as a date picker does."""
    page.put("field-since", text)


def test_settings_are_changed(browser, gateway, receiver, hook, say):
    gateway.api("PATCH", hook, {"headers": {"Authorization": "Bearer swordfish", "X-Old": "1", "X-Same": "2"}})
    page = show(browser, "crm")
    page.tab_to("webhook-change")
    page.press(Keys.ENTER)
    page.find("change-webhook-dialog")
    assert page.focused() == "field-url" and page.find("field-url").get_attribute("value") == receiver.url
    assert page.find("field-types").get_attribute("value") == "message.created"
    assert "swordfish" not in page.js("return document.documentElement.outerHTML"), "values of headers are not shown"
    page.fill("field-description", "Leads")
    page.fill("field-types", "")
    page.fill("field-concurrency", "1")
    page.put("field-directions", "toAgent")
    page.put("header-value", "Bearer 4712", "[aria-label*=Authorization]")
    page.click("header-remove", '[aria-label="Remove X-Old"]')
    assert page.focused() == "add-header"
    page.press(Keys.ENTER)
    page.press("X-New", Keys.TAB, "3")
    page.click("change-webhook-submit")
    page.says("webhook-said", "The settings are saved.")
    page.says("webhook-about", "Authorization, X-New, X-Same")
    page.says("webhook-about", "1 at the same time, 15 sec for an answer")
    made = gateway.get(hook)
    assert (made["description"], len(made["types"]), made["directions"]) == ("Leads", 9, ["toAgent"])
    assert (made["concurrency"], made["timeoutSeconds"]) == (1, 15)
    say("hello")
    page.wait(lambda: receiver.requests, "it is sent with the new settings")
    sent = receiver.requests[-1]["headers"]
    assert [sent.get(name) for name in ("Authorization", "X-New", "X-Same", "X-Old")] == ["Bearer 4712", "3", "2", None]


def test_what_the_gateway_refuses_is_shown_at_the_field(browser, gateway, hook, console):
    console.expect("status of 422")
    page = show(browser, "crm")
    page.click("webhook-change")
    page.fill("field-concurrency", "65")
    page.click("add-header")
    page.write("header-name", "X-Key")
    page.click("add-header")
    page.js("all('header-name')[1].value = 'webhook-id'")
    page.click("change-webhook-submit")
    page.wait(lambda: page.js(INVALID, "field-concurrency"), "the number is refused")
    assert page.focused() == "field-concurrency"
    assert page.js("return all('header-value').map((one) => one.getAttribute('aria-invalid'))") == [None, "true"]
    problems = "return [...document.querySelectorAll('[id$=-problem]')].map((one) => [one.id, one.textContent])"
    assert [name for name, _ in page.js(problems)] == ["field-concurrency-problem", "field-headers-problem"]
    assert "webhook-id: " in page.js(problems)[1][1]
    page.fill("field-concurrency", "64")
    page.click("header-remove", '[data-test="header-remove"]')
    page.put("header-name", "X-Other")
    page.click("change-webhook-submit")
    page.says("webhook-about", "X-Other")
    assert gateway.get(hook)["concurrency"] == 64


def test_settings_that_were_changed_elsewhere_are_shown_first(browser, gateway, hook, console):
    console.expect("status of 412")
    page = show(browser, "crm")
    page.click("webhook-change")
    page.fill("field-description", "Mine")
    gateway.api("PATCH", hook, {"description": "Of another desk"})
    page.click("change-webhook-submit")
    page.says("change-webhook-problem", "Somebody else has changed it")
    assert page.find("field-description").get_attribute("value") == "Of another desk"
    assert gateway.get(hook)["description"] == "Of another desk"
    page.fill("field-description", "Of both")
    page.click("change-webhook-submit")
    page.says("webhook-about", "Id")
    page.wait(lambda: gateway.get(hook)["description"] == "Of both", "the second change is made")


def test_a_change_of_state_alone_does_not_disturb_a_change_of_settings(browser, gateway, hook, console):
    console.expect("status of 412")
    page = show(browser, "crm")
    page.click("webhook-change")
    page.fill("field-description", "Leads")
    gateway.post(f"{hook}/pause")
    page.click("change-webhook-submit")
    page.says("webhook-said", "The settings are saved.")
    assert (gateway.get(hook)["description"], gateway.get(hook)["state"]) == ("Leads", "paused")


def test_events_are_sent_again_from_a_time_and_after_an_id(browser, gateway, receiver, hook, say, console):
    console.expect("status of 4(09|22)")
    for text in ("one", "two", "three"):
        say(text)
    page = show(browser, "crm")
    delivered(page, *["delivered"] * 3)
    first = receiver.requests[0]["id"]
    page.tab_to("webhook-replay")
    page.press(Keys.ENTER)
    page.click("replay-submit")
    page.wait(lambda: page.js(INVALID, "field-since"), "something must be chosen")
    page.write("field-after", "nothing-1")
    page.click("replay-submit")
    page.says("replay-problem", "too old, ahead of the log")
    page.fill("field-after", first)
    page.click("replay-submit")
    page.says("webhook-said", "The events are being sent again.")
    page.wait(lambda: [one["id"] for one in receiver.requests].count(first) == 1 and len(receiver.requests) == 5, "two come again")
    page.click("webhook-replay")
    own(page, "2026-01-01T00:00")
    page.click("replay-submit")
    page.wait(lambda: len(receiver.requests) == 8, "all come again")
    assert len({one["id"] for one in receiver.requests}) == 3
    page.click("webhook-replay")
    own(page, "2099-01-01T00:00")
    page.click("replay-submit")
    page.says("webhook-said", "There is nothing to send again.")


def test_the_list_follows_the_state(browser, gateway, receiver, hook, say):
    receiver.answer = away
    page = show(browser)
    page.says("webhook-facts", "Nothing waits")
    say("hello")
    page.says("webhook-state", "Failing")
    page.says("webhook-facts", "1 event waits")
    page.says("webhook-facts", "Last error: status 503")
    page.says("webhook-facts", "Next attempt")
    receiver.answer = lambda request: (204, {}, b"")
    gateway.post(f"{hook}/resume")
    page.says("webhook-state", "Active")
    page.says("webhook-facts", "Nothing waits")


def test_an_event_brings_the_state_at_once(browser, gateway, hook):
    page = show(browser)
    page.says("webhook-state", "Active")
    # The page looks by itself every five seconds; no timer runs here.
    page.js("const last = setInterval(() => {}, 1e9); for (let one = 0; one <= last; one++) clearInterval(one)")
    gateway.post(f"{hook}/pause")
    page.says("webhook-state", "Paused")


def test_deliveries_are_sent_again(browser, gateway, receiver, hook, say):
    receiver.answer = aborted
    say("one")
    say("two")
    page = show(browser, "crm")
    delivered(page, "dead", "dead")
    page.says("delivery-facts", "status 422")
    page.click("delivery-attempts")
    page.says("attempts", "no")
    page.put("delivery-filter", "delivered")
    page.says("deliveries-empty", "There are no deliveries.")
    page.put("delivery-filter", "dead")
    delivered(page, "dead", "dead")
    receiver.answer = lambda request: (204, {}, b"")
    seen = len(receiver.requests)
    page.click("redeliver")
    page.says("webhook-said", "sent again")
    delivered(page, "dead")
    assert "two" in receiver.requests[seen]["text"], "the first row is the newest"
    page.click("redeliver-dead")
    page.says("webhook-said", "1 delivery is sent again.")
    delivered(page)
    page.put("delivery-filter", "")
    delivered(page, "delivered", "delivered")
    page.says("delivery-attempts", "2 attempts")


def test_many_deliveries_come_page_by_page(browser, hook, say):
    for number in range(30):
        say(f"line {number}")
    page = show(browser, "crm")
    delivered(page, *["delivered"] * 25)
    page.click("more-deliveries")
    delivered(page, *["delivered"] * 30)
    page.gone("more-deliveries")


def test_pause_resume_test_rotate_and_remove(browser, gateway, receiver, hook, say):
    page = show(browser, "crm")
    page.tab_to("webhook-pause")
    page.press(Keys.ENTER)
    page.says("webhook-state", "Paused")
    assert page.focused() == "webhook-resume", "the keyboard stays"
    say("later")
    page.says("webhook-about", "events wait")
    page.click("webhook-test")
    page.says("webhook-said", "The receiver took the test: status 204")
    receiver.answer = away
    page.click("webhook-test")
    page.says("webhook-said", "did not take the test: status 503")
    receiver.answer = lambda request: (204, {}, b"")
    page.click("webhook-resume")
    page.says("webhook-state", "Active")
    delivered(page, "delivered")
    page.click("webhook-rotate")
    page.click("rotate-secret-submit")
    assert page.find("secret").get_attribute("value").startswith("whsec_")
    page.click("secret-done")
    page.click("webhook-remove")
    page.click("remove-webhook-submit")
    page.says("webhooks-empty", "There is no webhook yet")
    assert gateway.get("/v1/webhooks")["items"] == []


def test_by_keyboard(browser, gateway, receiver, hook):
    gateway.post("/v1/webhooks", {"id": "other", "url": receiver.url})
    page = browser.desk()
    page.tab_to("webhooks")
    page.press(Keys.ENTER)
    page.find("webhook")
    page.tab_to("webhook")
    page.press(Keys.ARROW_DOWN, Keys.ENTER)
    page.says("webhook-about", "All types")
    page.tab_to("webhooks-back")
    page.press(Keys.ENTER)
    page.wait(lambda: page.js("return document.activeElement.dataset.id") == "other", "the keyboard is where it was")
    page.press(Keys.ESCAPE)
    page.gone("webhooks-dialog")
    page.wait(lambda: page.focused() == "webhooks", "the keyboard is back at the button")


def test_one_that_is_removed_elsewhere_leaves(browser, gateway, hook, console):
    console.expect("status of 404|There is no webhook")  # the page may just ask for it
    page = show(browser, "crm")
    gateway.api("DELETE", hook)
    page.says("webhooks-empty", "There is no webhook yet")
    assert not page.has("webhook-about")
