"""The page of people, keys, browsers and the audit."""

import sqlite3
import urllib.request

PASSWORD = "two herons on a green boat"


def fill(page, hook, text):
    field = page.find(hook)
    field.clear()
    field.send_keys(text)


def rows(page, test):
    return page.js("return [...document.querySelectorAll(`[data-test=${arguments[0]}] tbody tr`)].map((one) => one.innerText)", test)


def test_a_person_is_added_invited_and_signed_out(browsers, gateway, console, shots):
    # She is signed out while her page may still load what nobody waits for.
    console.expect(r"status of 4\d\d|ParleyError")
    page = browsers().page("/access")
    page.click("person-add")
    fill(page, "field-name", "Mara Lind")
    fill(page, "field-publicName", "Mara")
    fill(page, "field-email", "mara@shop.example")
    page.click("person-submit")
    url = page.wait(lambda: page.text("once-0"), "the invitation is shown")
    page.screenshot(shots / "access-invitation.png")
    page.click("once-submit")
    assert "Mara Lind (Mara)" in rows(page, "people")[0] and "invited" in rows(page, "people")[0]
    other = browsers(signed_in=False).page(url, agent=None)
    fill(other, "new-password", PASSWORD)
    other.click("welcome-submit")
    other.ready()
    page.reload()
    page.wait(lambda: any("active" in one for one in rows(page, "people")), "she is in")
    page.screenshot(shots / "access-people.png")
    page.click("person-sign-out")
    other.go("/desk")
    other.find("sign-in-email")
    page.click("person-state")
    page.wait(lambda: any("disabled" in one for one in rows(page, "people")), "she is disabled")
    page.click("person-remove")
    page.click("sure-submit")
    page.wait(lambda: rows(page, "people") == [], "she is removed")


def test_a_key_is_made_and_ended(browser, gateway, shots):
    page = browser.page("/access?view=keys")
    page.click("key-add")
    fill(page, "field-name", "Prometheus")
    page.js("const field = document.querySelector('[data-test=field-metrics]'); field.value = 'read'")
    page.screenshot(shots / "access-key.png")
    page.click("key-submit")
    secret = page.wait(lambda: page.text("once-0"), "the key is shown")
    request = urllib.request.Request(f"{gateway.address}/metrics", headers={"Authorization": f"Bearer {secret}"})
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200
    page.click("once-submit")
    assert "metrics.read" in rows(page, "keys")[0] and secret not in page.js("return document.body.innerText")
    page.click("key-remove")
    page.click("sure-submit")
    page.wait(lambda: rows(page, "keys") == [], "it has ended")
    page.click("view-audit")
    page.wait(lambda: len(rows(page, "audit")) >= 2, "both acts are listed")
    assert "key.removed" in rows(page, "audit")[0]


def test_an_administrator_shows_again_who_they_are(browsers, gateway, console):
    console.expect(r"status of 4\d\d|ParleyError")
    console.expect_outage()
    gateway.post("/v1/people", {"id": "ida", "name": "Ida", "email": "ida@shop.example", "role": "administrator"})
    url = gateway.post("/v1/people/ida/invite")["url"]
    page = browsers(signed_in=False).page(url, agent=None)
    fill(page, "new-password", PASSWORD)
    page.click("welcome-submit")
    page.ready()
    page.click("access")
    page.find("person-add")
    page.click("view-logins")
    assert page.wait(lambda: rows(page, "logins"), "the logins are listed")[0].startswith("ida")
    # As if it were an hour later.
    gateway.stop()
    with sqlite3.connect(gateway.data / "parley.sqlite") as database:
        database.execute("UPDATE login SET confirmedAt = confirmedAt - 3600000")
    database.close()
    gateway.start()
    page.go("/access?view=keys")
    page.click("key-add")
    fill(page, "field-name", "Prometheus")
    page.click("key-submit")
    fill(page, "field-password", "not the right one, sorry")
    page.click("confirm-submit")
    page.says("confirm-problem", "is wrong")
    fill(page, "field-password", PASSWORD)
    page.click("confirm-submit")
    page.find("access-problem", ":not(:empty)")  # a key for nothing is refused, with words
    page.says("access-problem", "scopes")
