"""Several agents at one conversation: they see one another, and do not answer twice."""

import pytest
from selenium.webdriver.common.keys import Keys

from test_agents import BO, MARA, desk_of
from test_desk import Customer, pick


@pytest.fixture
def ada(gateway):
    ada = Customer(gateway, "Ada")
    ada.write("Ada asks", "a")
    return ada


@pytest.fixture
def two(browsers, gateway, ada):
    """Two agents with browsers of their own, who look at one conversation."""
    pages = [desk_of(browsers(), agent) for agent in (MARA, BO)]
    for page in pages:
        pick(page, "Ada")
        page.shows("Ada asks")
    return pages


def test_colleagues_are_seen(two):
    mara, bo = two
    mara.says("colleagues", "Bo Berg is looking")
    bo.says("colleagues", "Mara Lind is looking")
    bo.write("composer", "I am")
    mara.says("colleagues", "Bo Berg is writing")
    bo.press(Keys.ENTER)
    mara.says("colleagues", "Bo Berg is looking")
    bo.click("desk-settings")
    bo.click("setting-away")
    mara.wait(lambda: not mara.text("colleagues"), "who is away is not here")
    assert mara.js("return all('colleagues')[0]?.getAttribute('role') ?? document.querySelector('[data-test=colleagues]').getAttribute('role')") == "status"


def test_who_is_slower_sees_the_other_answer_first(browser, gateway, ada, console):
    console.expect("status of 409")
    mara = desk_of(browser, MARA)
    pick(mara, "Ada")
    mara.shows("Ada asks")
    # The other answer is at the gateway, but not yet on this page, when this one is sent.
    mara.js(
        "const send = window.fetch; window.fetch = async (url, options) => {"
        "  if (options?.method === 'POST' && String(url).includes('/messages') && !window.late) {"
        "    window.late = true;"
        "    const headers = {...options.headers, 'Idempotency-Key': crypto.randomUUID()};"
        "    await send(url, {...options, headers, body: JSON.stringify({text: 'It is from Bo', agent: {id: 'bo', name: 'Bo Berg'}})});"
        "  }"
        "  return send(url, options);"
        "}"
    )
    mara.write("composer", "It is from Mara" + Keys.ENTER)
    mara.shows("Ada asks", "It is from Bo", "It is from Mara")
    mara.becomes("It is from Mara", "failed")
    failure = "return [...all('message')].at(-1).querySelector('.failure').textContent"
    assert mara.js(failure) == "Somebody else has answered meanwhile. This was not sent.Send all the sameRemove"
    assert [one["text"] for one in gateway.desk_messages("a")] == ["Ada asks", "It is from Bo"]
    mara.click("retry")
    mara.becomes("It is from Mara", "delivered")
    assert [one["text"] for one in gateway.desk_messages("a")] == ["Ada asks", "It is from Bo", "It is from Mara"]


def test_one_s_own_and_what_was_seen_stop_nobody(two, gateway, ada):
    mara, bo = two
    for number in range(3):
        mara.write("composer", f"mine {number}" + Keys.ENTER)
    mara.shows("mine 0", "mine 1", "mine 2")
    mara.becomes("mine 2", "delivered")
    bo.shows("mine 0", "mine 1", "mine 2")
    bo.send("from Bo")
    bo.becomes("from Bo", "delivered")
    ada.write("Thank you both", "a")
    mara.shows("from Bo", "Thank you both")
    mara.send("With pleasure")
    mara.becomes("With pleasure", "delivered")
    gateway.post("/v1/desk/threads/a/notes", {"text": "A note", "agent": BO})
    mara.says("note", "A note")
    mara.send("Good bye")
    mara.becomes("Good bye", "delivered")
