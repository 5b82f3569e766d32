"""Who gets in: by a launch address that works once, by a password, and by the two halves of a login that they leave."""

from selenium.webdriver.common.keys import Keys

PASSWORD = "two herons on a green boat"
HALF = "return localStorage.getItem('parley.page')"


def test_launch_address_signs_in(browsers, gateway):
    browser = browsers(signed_in=False)
    page = browser.page(gateway.launch_url())
    page.find("channel-picker")
    assert page.js("return location.pathname") == "/"
    assert page.js("return document.cookie") == "", "no script may read the cookie"
    [cookie] = browser.driver.get_cookies()
    assert cookie["name"].startswith("parley_p_")
    assert len(page.js(HALF)) == 43 and page.js(HALF) not in cookie["value"]
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["path"] == "/"


def test_used_address_shows_how_to_get_another(browsers, gateway, console):
    console.expect(r"status of 410")
    browser = browsers()
    url = gateway.launch_url()
    browser.page(url).find("channel-picker")
    other = browsers(signed_in=False).page(url)
    assert "parley open" in other.js("return document.body.innerText")
    assert other.browser.driver.get_cookies() == []
    other.go("/")
    other.find("sign-in")


def test_without_a_login_the_pages_say_so_and_go_on_by_themselves(browsers, gateway):
    browser = browsers(signed_in=False)
    chat, desk = browser.page("/"), browser.page("/desk")
    for page in (chat, desk):
        page.says("sign-in", "parley open")
    browser.page(gateway.launch_url())
    chat.find("channel-picker")
    desk.find("channel-filter")
    for page in (chat, desk):
        page.gone("sign-in")


def test_a_half_taken_away_in_the_middle(browser, gateway, console):
    console.expect(r"status of 401|ParleyError")
    page = browser.chat("multi")
    page.click("new-thread")
    page.send("before")
    page.becomes("before", "delivered")
    browser.show(page.handle)
    browser.driver.delete_all_cookies()
    page.click("new-thread")
    page.find("sign-in")
    browser.page(gateway.launch_url())
    page.gone("sign-in")
    page.click("thread-item")
    page.shows("before")
    page.send("after")
    page.becomes("after", "delivered")
    gateway.post(f"/v1/desk/threads/{page.thread}/messages", {"text": "still live"})
    page.shows("before", "after", "still live")


def test_a_login_survives_a_restart(browser, gateway, console):
    console.expect_outage()
    gateway.restart()
    browser.page("/").find("channel-picker")


def test_without_the_pages_half_the_cookie_is_nothing(browser, gateway, console):
    console.expect(r"status of 401|ParleyError|half of a login")
    page = browser.page("/")
    page.find("channel-picker")
    page.js("localStorage.removeItem('parley.page')")
    page.go("/")
    page.says("sign-in", "parley open")
    assert browser.driver.get_cookies() != []
    browser.page(gateway.launch_url())
    page.gone("sign-in")


def test_signing_out_ends_the_login_in_all_tabs(browser, gateway, console):
    console.expect(r"status of 401|ParleyError")  # what the pages still load
    chat, desk = browser.page("/"), browser.desk()
    chat.find("channel-picker")
    assert len(gateway.get("/v1/logins")["items"]) == 1
    desk.click("sign-out")
    desk.find("sign-in")
    assert gateway.get("/v1/logins")["items"] == [] and desk.js(HALF) is None
    chat.go("/")
    chat.find("sign-in")


def invite(gateway, **members):
    person = gateway.post("/v1/people", {"id": "mara", "name": "Mara Lind", "email": "mara@shop.example", "role": "agent", **members})
    return gateway.post(f"/v1/people/{person['id']}/invite")["url"]


def fill(page, hook, text):
    field = page.find(hook)
    field.clear()
    field.send_keys(text)


def test_an_invitation_leads_to_the_desk_under_ones_own_name(browsers, gateway, console):
    console.expect(r"status of 4\d\d|ParleyError")
    url = invite(gateway, publicName="Mara")
    browser = browsers(signed_in=False)
    page = browser.page(url, agent=None)
    fill(page, "new-password", "correct horse battery staple" + Keys.ENTER)
    page.says("welcome-problem", "Many people choose")
    fill(page, "new-password", PASSWORD + Keys.ENTER)
    page.ready()
    assert page.js("return location.pathname") == "/desk"
    page.says("agent", "Mara")
    assert not page.has("webhooks"), "an agent is offered what they may do"
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": "Lamp"})["id"]
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "Hello?"})
    page.click("desk-thread")
    page.send("Good morning")
    page.wait(lambda: any(one.get("author", {}).get("id") == "mara" for one in gateway.desk_messages(thread)), "it is Mara's")
    [said] = [one for one in gateway.desk_messages(thread) if one["text"] == "Good morning"]
    assert said["author"]["name"] == "Mara"
    other = browsers(signed_in=False).page(url, agent=None)
    fill(other, "new-password", PASSWORD + Keys.ENTER)
    other.says("welcome-problem", "was used")


def test_a_person_signs_in_with_a_password(browsers, gateway, console, shots):
    console.expect(r"status of 4\d\d|ParleyError")
    code = invite(gateway).rpartition("/")[2]
    gateway.api("POST", f"/auth/invitations/{code}", {"password": PASSWORD})
    page = browsers(signed_in=False).page("/desk", agent=None)
    page.screenshot(shots / "sign-in-password.png")
    fill(page, "sign-in-email", "mara@shop.example")
    fill(page, "sign-in-password", "not the right one, sorry" + Keys.ENTER)
    page.says("sign-in-problem", "is wrong")
    fill(page, "sign-in-password", PASSWORD + Keys.ENTER)
    page.ready()
    page.says("agent", "Mara Lind")
    page.click("sign-out")
    page.find("sign-in-email")
