"""The first load of the chat page and of the desk over Fast 3G, and the next one: what is to be seen every half second.

PARLEY_SHOTS keeps the strips, and the pictures of them one by one. Nothing is said of times here: a busy machine is slow.
"""

import base64
import signal

import pytest

from filmstrip import Film
from gateway import Gateway
from page import AGENT, Browser

LATENCY, RATE = 150, 200_000  # ms there and back; 1.6 Mbit a second
STEP = 0.5  # seconds
WRITING = "document.querySelector('[data-test=composer]')?.checkVisibility() ?? false"
PATHS = {"chat": "/?channel=demo&thread=demo-order", "desk": "/desk?thread=demo-order"}


@pytest.fixture
def gateway(tmp_path):
    gateway = Gateway(tmp_path, "--demo")
    gateway.start()
    yield gateway
    gateway.stop(signal.SIGKILL)


@pytest.mark.parametrize("side", PATHS)
def test_a_first_load_and_the_next(gateway, shots, side):
    browser = Browser().serve(gateway)
    browser.sign_in()
    browser.driver.execute_script("localStorage.setItem('parley.agent', arguments[0])", f'{{"id": "{AGENT["id"]}", "name": "{AGENT["name"]}"}}')
    try:
        for load in ("first", "next"):
            film = Film(browser, latency=LATENCY, rate=RATE)
            start = film.go(gateway.address + PATHS[side])
            writes = film.wait(WRITING, "one can write") - start
            film.wait("document.querySelector('[data-test=message]') !== null", "the messages are there")
            shown = film.wait("document.body.dataset.ready === 'true' && new Promise((done) => setTimeout(done, 700, true))", "all is drawn")
            asked = [address for at, address in film.sent if at <= start + writes]
            print(f"{side}, {load} load: one can write after {writes:.2f} s, when {len(asked)} requests were made")
            film.save(shots / f"film-{side}-{load}.png", film.strip(start, shown, every=STEP, wide=500))
            for number in range(int((shown - start) / STEP) + 2):
                for _, picture in [one for one in film.pictures if one[0] <= start + number * STEP][-1:]:
                    (shots / f"film-{side}-{load}-{number * STEP:.1f}s.jpg").write_bytes(base64.b64decode(picture))
            if load == "next":
                assert not any("/v1/" in address for address in asked), "nobody waits for data"
            film.call("Page.navigate", film.page, url="about:blank")
            film.call("Target.closeTarget", targetId=film.call("Target.getTargetInfo", film.page)["targetInfo"]["targetId"])
            film.close()
    finally:
        browser.quit()
