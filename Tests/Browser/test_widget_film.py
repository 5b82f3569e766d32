"""The chat's first load on a shop's page over a slow line: nothing jumps, and few requests are in the way.

PARLEY_SHOTS keeps the pictures of it, PARLEY_FILM_LATENCY is another latency in ms than that of Fast 3G.
"""

import os
import signal

import pytest

from filmstrip import Film
from gateway import Gateway
from page import PHONE, Browser
from widget_sites import Site

LATENCY = float(os.environ.get("PARLEY_FILM_LATENCY", "150"))
RATE = 200_000  # 1.6 Mbit a second
HOLDER = "document.querySelector('parley-holder')?.shadowRoot"
BUTTON = f"{HOLDER}?.querySelector('[part=launcher]')"
TEXTS = "<p>Tents and boots for all weathers. We send within two days, and take back what does not fit.</p>" * 4
BODY = f'{TEXTS}<parley-chat channel="%s" lang="en"></parley-chat>'


@pytest.fixture(scope="module")
def shop():
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, shop):
    gateway = Gateway(tmp_path_factory.mktemp("gateway"))
    gateway.start()
    for channel, mode in (("single", "singlethread"), ("many", "multithread")):
        visitors = {"public": True, "origins": [shop.address]}
        gateway.post("/v1/desk/channels", {"id": f"film-{channel}", "name": "Tents and boots", "mode": mode, "visitors": visitors})
    yield gateway
    gateway.stop(signal.SIGKILL)


@pytest.mark.parametrize(("channel", "size"), [("single", (1000, 760)), ("many", PHONE)], ids=["single-desktop", "many-phone"])
def test_a_first_load(gateway, shop, shots, channel, size):
    browser = Browser()
    film = Film(browser, latency=LATENCY, rate=RATE, size=size)
    try:
        start = film.go(shop.shop("/film", gateway, BODY % f"film-{channel}", style="body { font: 16px/1.5 sans-serif; margin: 2em }"))
        shown = film.wait(f"{BUTTON}?.checkVisibility() ?? false", "the button is there")
        clicked = film.click(BUTTON)
        film.wait(f"{HOLDER}.querySelector('iframe') !== null", "the frame is loading")
        film.wait("told.some(([name]) => name === 'ready')", "the frame is ready")
        [frame] = film.frames
        wanted = "[data-test=composer]" if channel == "single" else "[data-test=begin]"
        usable = film.wait(f"document.querySelector('{wanted}')?.checkVisibility() ?? false", "it can be used", frame)
        before = [address for at, address in film.sent if clicked <= at <= usable and gateway.address in address]
        film.wait("new Promise((done) => setTimeout(done, 700, true))", "all is drawn")
        print(f"{channel} {size}: button after {shown - start:.2f} s, usable {usable - clicked:.2f} s after the click, {before}")
        film.save(shots / f"film-{channel}-{size[0]}.png", film.strip(start, usable + 0.7))
        assert film.js("shifts") == [] and film.js("shifts", frame) == [], "nothing jumps"
        assert len(before) <= 5 and not [one for one in before if "/v1/" in one], before
    finally:
        film.close()
        browser.quit()
