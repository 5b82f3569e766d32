"""The chat on a page of another site, in browsers that keep less for it: it works, and says what is lost."""

import signal

import pytest
from selenium.webdriver.common.keys import Keys

from firefox import Firefox
from gateway import Gateway, until
from page import Browser
from test_widget_hosts import FIELD, FirefoxHost, at_desk, usable
from widget_host import Host
from widget_sites import Site

FOR_PAGE = "Your browser does not let this chat keep anything. It ends when you leave the page."
FOR_TAB = "Your browser keeps this chat for this tab only. It ends when you close the tab."
# Flags and preferences, what the chat says, and what is there after a reload.
CHROMIUM = {
    "no cookies of others": ([], {"profile.cookie_controls_mode": 1, "profile.block_third_party_cookies": True}, "", True),
    "incognito": (["--incognito"], {}, "", True),
    "no cookies": ([], {"profile.default_content_setting_values.cookies": 2}, FOR_PAGE, False),
}
FIREFOX = {
    "no cookies of others": ({"network.cookie.cookieBehavior": 1}, FOR_TAB, True),
    "no cookies": ({"network.cookie.cookieBehavior": 2}, FOR_PAGE, False),
    "private": ({"browser.privatebrowsing.autostart": True}, "", True),
}
NOTICE = "document.querySelector('[data-test=notice]:not([hidden])')?.textContent ?? ''"
MESSAGES = "[...document.querySelectorAll('[data-test=message] .text')].map((one) => one.textContent)"


@pytest.fixture(scope="module")
def shop():
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, shop):
    gateway = Gateway(tmp_path_factory.mktemp("gateway"))
    gateway.start()
    visitors = {"public": True, "origins": [shop.address]}
    gateway.post("/v1/desk/channels", {"id": "help", "name": "Shop", "mode": "singlethread", "visitors": visitors})
    yield gateway
    gateway.stop(signal.SIGKILL)


@pytest.mark.parametrize("kind", CHROMIUM)
def test_chromium(gateway, shop, kind):
    flags, preferences, notice, stays = CHROMIUM[kind]
    browser = Browser(*flags, **preferences)
    try:
        browser.gateway = gateway
        page = Host(browser.page(agent=None)).go(shop.shop("/chromium", gateway)).shows().click()
        usable(page)
        page.write(FIELD, kind + Keys.ENTER)
        at_desk(gateway, kind)
        until(lambda: page.frame(f"return {MESSAGES}") == [kind], "the message is on show")
        assert page.frame(f"return {NOTICE}") == notice
        page.js("location.reload()")
        page.shows().click()
        usable(page)
        if stays:
            until(lambda: page.frame(f"return {MESSAGES}") == [kind], "the conversation is there again")
        else:
            assert page.frame(f"return {MESSAGES}") == []
        assert browser.console() == []
    finally:
        browser.quit()


@pytest.mark.parametrize("kind", FIREFOX)
def test_firefox(gateway, shop, kind):
    preferences, notice, stays = FIREFOX[kind]
    firefox = Firefox("ws://127.0.0.1:9/", **preferences)
    text = f"Firefox, {kind}"
    try:
        page = FirefoxHost(firefox, firefox.page(shop.shop("/firefox", gateway)))

        def opens():
            page.wait("part('launcher')?.checkVisibility() ?? false", "the button is there")
            page.js("part('launcher').click()")
            page.wait("told.some(([name]) => name === 'ready')", "the frame is ready")
            until(lambda: page.frame(f"document.activeElement.matches('{FIELD}')"), "the field has the focus")

        opens()
        page.press(f"{text}\ue007")
        at_desk(gateway, text)
        until(lambda: page.frame(MESSAGES) == [text], "the message is on show")
        assert page.frame(NOTICE) == notice
        page.page.go(shop.address + "/firefox")
        opens()
        if stays:
            until(lambda: page.frame(MESSAGES) == [text], "the conversation is there again")
        else:
            assert page.frame(MESSAGES) == []
    finally:
        firefox.quit()
