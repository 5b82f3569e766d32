"""A page of the Internet with a gateway on this machine: browsers ask the visitor before it is reached."""

import signal

import pytest

from firefox import Firefox
from gateway import Gateway, until
from page import Browser
from test_widget_hosts import FirefoxHost, usable
from widget_host import Host
from widget_sites import Site


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


MAIL = "Write to us"  # the element's content
CONTENT = "chat.querySelector('a').checkVisibility() && chat.innerText"


def test_chromium(gateway, shop):
    browser = Browser(f"--ip-address-space-overrides=127.0.0.1:{shop.server.server_port}=public")
    try:
        browser.gateway = gateway
        page = Host(browser.page(agent=None))

        def visit(setting):
            page.page.cdp("Browser.setPermission", permission={"name": "loopback-network"}, setting=setting, origin=shop.address)
            page.go(shop.shop("/chromium", gateway))

        visit("denied")
        [refused, _] = page.wait(lambda: (browser.console() + [None])[:2], "the browser says why")
        assert "Permission was denied for this request to access the `loopback` address space" in refused["message"]
        assert page.js(f"return [holder, {CONTENT}]") == [None, MAIL]
        browser.console()
        visit("granted")
        usable(page.shows().click())
        assert browser.console() == []
    finally:
        browser.quit()


@pytest.mark.parametrize("answer", ["secondaryButton", "button"], ids=["refused", "granted"])
def test_firefox(gateway, shop, answer):
    preferences = {"network.lna.address_space.public.override": f"127.0.0.1:{shop.server.server_port}", "network.lna.blocking": True,
                   "network.lna.enabled": True, "security.notification_enable_delay": 0}
    firefox = Firefox("ws://127.0.0.1:9/", **preferences)
    try:
        url = shop.shop("/firefox", gateway)
        context = firefox.command("browsingContext.create", type="tab")["context"]
        firefox.command("browsingContext.navigate", context=context, url=url, wait="none")  # its load waits for the answer
        host = FirefoxHost(firefox, firefox.attach(context))
        asked = "document.getElementById('loopback-network-notification')"
        until(lambda: firefox.chrome(f"{asked} !== null && !{asked}.hidden"), "Firefox asks")
        host.wait("chat !== null", "the element is there")
        assert host.js(f"[holder, {CONTENT}]") == [None, MAIL]
        firefox.chrome(f"({asked}.{answer}.click(), 1)")
        host.wait("document.readyState === 'complete'", "the page has loaded")
        if answer == "secondaryButton":
            assert host.js(f"[holder, {CONTENT}]") == [None, MAIL]
            return
        host.wait("part('launcher')?.checkVisibility() ?? false", "the button is there")
        host.js("part('launcher').click()")
        host.wait("told.some(([name]) => name === 'ready')", "the frame is ready")
    finally:
        firefox.quit()
