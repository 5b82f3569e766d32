"""Who gets in: by a launch address that works once, and by the cookie it leaves."""


def test_launch_address_signs_in(browsers, gateway):
    browser = browsers(signed_in=False)
    page = browser.page(gateway.launch_url())
    page.find("channel-picker")
    assert page.js("return location.pathname") == "/"
    assert page.js("return document.cookie") == "", "no script may read the cookie"
    [cookie] = browser.driver.get_cookies()
    assert cookie["name"].startswith("parley_")
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


def test_without_cookie_the_pages_say_so_and_go_on_by_themselves(browsers, gateway):
    browser = browsers(signed_in=False)
    chat, desk = browser.page("/"), browser.page("/desk")
    for page in (chat, desk):
        page.says("sign-in", "parley open")
    browser.page(gateway.launch_url())
    chat.find("channel-picker")
    desk.find("channel-filter")
    for page in (chat, desk):
        page.gone("sign-in")


def test_cookie_taken_away_in_the_middle(browser, gateway, console):
    console.expect(r"status of 401|unauthorized|token")
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


def test_cookie_survives_a_restart(browser, gateway, console):
    console.expect_outage()
    gateway.restart()
    browser.page("/").find("channel-picker")
