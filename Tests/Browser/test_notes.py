"""Notes among agents: on the desk among the messages, at once on every desk, and never on the customer's page."""

import signal

MARA = {"id": "mara", "name": "Mara Lind"}


def notes(page):
    return page.js("return all('note').map((one) => [one.querySelector('.author').textContent, one.querySelector('.text').textContent])")


def rows(page):
    """Messages and notes in the order in which they stand."""
    return page.js("return [...document.querySelectorAll('.conversation .message .text')].filter(shown).map((one) => one.textContent)")


def write(page, text):
    page.click("add-note")
    page.fill("field-text", text)
    page.click("note-submit")


def test_agents_write_for_one_another(browsers, gateway, console):
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Ada"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {})["id"]
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "first"})
    browser = browsers()
    mara, bo = browser.page(agent=MARA), browsers().page(agent={"id": "bo", "name": "Bo"})
    for page in (mara, bo):
        page.go(f"/desk?thread={thread}")
        page.ready()
        page.shows("first")
    customer = browser.page()
    customer.remember({"parley.session.local.multi": session})
    customer.go(f"/?channel=multi&thread={thread}")
    customer.ready()
    customer.shows("first")
    write(mara, "Has **called** twice")
    mara.wait(lambda: notes(mara) == [["Note by You", "Has called twice"]], "it is there for its author")
    bo.wait(lambda: notes(bo) == [["Note by Mara Lind", "Has called twice"]], "and for others")
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "second"})
    for page in (mara, bo):
        page.wait(lambda: rows(page) == ["first", "Has called twice", "second"], "it stands between the messages")
    customer.shows("first", "second")
    assert rows(customer) == ["first", "second"] and notes(customer) == []
    assert "called" not in customer.js("return document.documentElement.outerHTML")

    console.expect_outage()
    gateway.restart(signal.SIGKILL)
    bo.reload()
    bo.ready()
    bo.wait(lambda: rows(bo) == ["first", "Has called twice", "second"], "it has survived")
    mara.js("all('note')[0].focus()")
    mara.js("all('note')[0].querySelector('[data-test=remove]').click()")
    mara.click("delete-note-submit")
    for page in (mara, bo):
        page.wait(lambda: notes(page) == [], "it is gone everywhere")
    gateway.post(f"/v1/desk/threads/{thread}/close")
    mara.click("segment-closed")
    mara.wait(lambda: mara.has("closed-note"), "the conversation is closed")
    mara.click("details")
    mara.click("add-note")
    mara.fill("field-text", "Sent a new lamp")
    mara.click("note-submit")
    mara.wait(lambda: notes(mara) == [["Note by You", "Sent a new lamp"]], "a closed conversation takes notes")
