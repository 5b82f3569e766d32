"""The pages in headless Chromium against a gateway of their own: one for each test, but those that only look share one.

PARLEY_BIN   the parley executable (required)      PARLEY_WEB        pages from another folder
PARLEY_SHOTS where screenshots go                  PARLEY_PATIENCE   seconds a condition may take (30)
PARLEY_CHROMIUM, PARLEY_CHROMEDRIVER               other executables than Debian's: for all tests, not only for those
                                                   that need the whole of Chromium
PARLEY_CHROMIUM_FLAGS                              more flags for Chromium
"""

import os
import re
import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import states  # noqa: E402
from gateway import Gateway, Spares  # noqa: E402
from page import Browser  # noqa: E402


def pytest_configure(config):
    config.addinivalue_line("markers", "plain: the gateway has no sandbox (test_inspect.py)")
    config.addinivalue_line("markers", "both: the gateway has the sandboxes of both platforms (test_inspect.py)")
    config.addinivalue_line("markers", "furnished: only looks, at a gateway with conversations in it that others share (fixture `made`)")


@pytest.fixture(scope="session")
def furnished(tmp_path_factory):
    gateway = Gateway(tmp_path_factory.mktemp("furnished")).start()
    gateway.made = states.furnish(gateway)
    yield gateway
    gateway.stop(signal.SIGKILL)


@pytest.fixture(scope="session")
def spares(tmp_path_factory):
    spares = Spares(lambda: tmp_path_factory.mktemp("gateway"))
    yield spares
    spares.end()


@pytest.fixture
def gateway(request):
    if request.node.get_closest_marker("furnished"):
        yield request.getfixturevalue("furnished")
        return
    gateway = request.getfixturevalue("spares").take()
    yield gateway
    gateway.stop(signal.SIGKILL)  # at once: an orderly end is tested elsewhere


@pytest.fixture
def made(gateway):
    """What `states.furnish` made: (session, threads)."""
    return gateway.made


class Console:
    """Whatever the pages write to the console fails the test, unless it was expected."""

    def __init__(self):
        # An interface of this machine came or went: no doing of the pages or the gateway.
        self.expected = [re.compile("net::ERR_NETWORK_CHANGED")]
        self.browsers = []

    def expect(self, pattern):
        self.expected.append(re.compile(pattern))

    def expect_outage(self):
        """The gateway goes away: requests fail, and browsers say so."""
        self.expect(r"net::ERR_")
        self.expect(r"Failed to (fetch|load resource)|unreachable|The gateway cannot be reached|interrupted")
        self.expect(r"status of 50[234]")

    def complaints(self):
        entries = [entry for browser in self.browsers for entry in browser.console()]
        return [entry for entry in entries if not any(one.search(entry["message"]) for one in self.expected)]


@pytest.fixture
def console():
    return Console()


@pytest.fixture(scope="session")
def pool():
    """Browsers are started seldom and used again: each test has a gateway, so an origin, of its own."""
    idle = []
    yield idle
    for browser in idle:
        browser.quit()


@pytest.fixture
def browsers(gateway, console, request, shots, pool):
    """Gives browsers; afterwards their consoles must be clean. A failed test leaves a picture of every window."""
    made = []

    def make(signed_in=True):
        browser = (pool.pop() if pool else Browser(whole=False)).serve(gateway)
        made.append(browser)
        console.browsers.append(browser)
        if signed_in:
            browser.sign_in()
        else:
            console.expect("status of 401")  # so the page learns it
        return browser

    yield make
    if getattr(request.node, "failed", False):
        pages = [page for browser in made for page in browser.pages]
        try:
            for number, page in enumerate(pages):
                page.screenshot(shots / f"failed-{request.node.name}-{number}.png")
        finally:
            for browser in made:
                browser.quit()  # who knows what state it is in
        return
    complaints = console.complaints()
    for browser in made:
        for page in list(browser.pages):
            page.close()
    pool.extend(made)
    assert complaints == [], "the console must stay empty"


@pytest.fixture
def browser(browsers):
    return browsers()


@pytest.fixture(scope="session")
def shots(tmp_path_factory):
    folder = Path(os.environ.get("PARLEY_SHOTS") or tmp_path_factory.mktemp("shots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.failed = report.failed
    return report
