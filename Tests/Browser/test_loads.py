"""What a page asks the gateway for when it is loaded: the first time, and again with what the browser has kept.

Counted where the requests arrive, by the gateway's access log: so those of the shared worker count too. A line is
written when its answer has ended, so the stream is counted apart, as the gateway knows it.
"""

import re
import shutil
from pathlib import Path

import pytest

import states
from gateway import Gateway

LINE = re.compile(r"bytes=(\d+).*?method=(\w+).*?request_id=(\S+).*?route=(\S+).*?status=(\d+)")
#: With the stream, and with the request for tickets for the files of the conversation. Of the first load at most six, with the
#: stream, are for data.
MOST_COLD, MOST_WARM, MOST_FOR_DATA = 12, 6, 6
#: In bytes, as they travel: HTML, styles, scripts, the icon and data, without the stream and what the conversation shows.
MOST_BYTES = {"chat": 125_000, "desk": 170_000}
WEB = Path(__file__).parents[2] / "web"


@pytest.fixture
def gateway(tmp_path):
    gateway = Gateway(tmp_path, "--log-level", "debug")
    gateway.start()
    gateway.made = states.furnish(gateway)
    yield gateway
    gateway.stop()


class Load:
    """The requests that arrive while a page is loaded."""

    def __init__(self, gateway, load):
        start = gateway.log.stat().st_size
        self.page = load()
        gateway.get("/v1/log")  # behind what the page has asked for: its line ends the part that is read
        self.page.wait(lambda: "route=/v1/log " in self._text(gateway, start), "the log has it all")
        found = [(method, route, int(status), int(size), number) for size, method, number, route, status in LINE.findall(self._text(gateway, start))]
        asked = [one for one in found if one[1] not in ("/v1/log", "/v1/streams")]
        # The desk asks for its counts after events, at most once a second: on a slow machine it does so while it is loaded.
        counts = [at for at, one in enumerate(asked) if one[1] == "/v1/desk/counts"]
        asked = [one for at, one in enumerate(asked) if at not in counts[1:]]
        # The parts of a batch have its number with a dot and their own.
        self.requests = [one for one in asked if "." not in one[4]]
        self.operations = sorted(one[:2] for one in asked if one[1].startswith("/v1/") and one[1] != "/v1/batch")
        self.files = [one for one in self.requests if one[1].startswith(("/web/", "/assets/", "/parley"))]
        self.count = len(self.requests) + len(gateway.streams())
        self.data = len([one for one in self.requests if one[1].startswith("/v1/")]) + len(gateway.streams())
        self.bytes = sum(size for _, _, _, size, _ in self.requests)

    @staticmethod
    def _text(gateway, start):
        return gateway.log.read_bytes()[start:].decode()


@pytest.mark.parametrize("side", ["chat", "desk"])
def test_a_warm_load_asks_for_the_page_and_little_more(browser, gateway, side):
    session, threads = gateway.made

    def load():
        page = browser.page()
        page.remember({"parley.session.local.multi": session})
        page.go(f"/?channel=multi&thread={threads[0]}" if side == "chat" else f"/desk?thread={threads[0]}")
        page.ready()
        page.shows("Yes please. That was quick 👍")
        page.wait(gateway.streams, "the stream is open")
        return page

    cold = Load(gateway, load)
    cold.page.close()
    browser.page().wait(lambda: not gateway.streams(), "the first page is gone")
    warm = Load(gateway, load)
    print(f"{side}: cold {cold.count} requests, {cold.bytes} bytes; warm {warm.count} requests, {warm.bytes} bytes")
    assert cold.count <= MOST_COLD, cold.requests
    assert cold.data <= MOST_FOR_DATA, cold.requests
    assert all(status == 200 for _, _, status, _, _ in cold.files)
    assert warm.files == [], "files under a version are kept"
    assert warm.count <= MOST_WARM, warm.requests
    assert cold.bytes <= MOST_BYTES[side], cold.requests
    # One collection is the list, and one the conversation that is open. At the desk one ticket is the transcript's. All else is
    # asked once.
    twice = {("POST", "/v1/desk/collections"), ("POST", "/v1/sessions/{session}/collections"), ("POST", "/v1/desk/tickets")}
    for load in (cold, warm):
        assert [one for one in load.operations if one[1].endswith("/collections") and load.operations.count(one) != 2] == []
        assert [one for one in load.operations if load.operations.count(one) > 1 and one not in twice] == []


def test_a_module_under_a_version_is_the_page_s_own(browser, gateway):
    """The pages' modules are joined, but each address has what the file there exports."""
    page = browser.desk()
    names = sorted(str(path.relative_to(WEB)) for folder in ("assets", "parley") for path in (WEB / folder).glob("*.js"))
    pages = ("-page.js", "stream-worker.js", "custom.js", "docs.js", "redeem.js", "welcome.js")  # they begin to run
    differing = page.js("""return (async () => {
      const base = new URL('..', document.querySelector('script[type=module]').src);
      const differing = [];
      for (const name of arguments[0]) {
        const [joined, own] = await Promise.all([import(new URL(name, base)), import(`/${name}`)]);
        if (Object.keys(joined).join() !== Object.keys(own).join()) differing.push(name);
      }
      const [{modules}, again] = await Promise.all([import(new URL('assets/modules.js', base)), import(new URL('assets/modules.js', base))]);
      return [differing, modules === again.modules, base.pathname];
    })()""", [name for name in names if not name.endswith(pages)])
    assert differing[0] == [] and differing[1]
    assert re.fullmatch(r"/web/[0-9a-f]{16}/", differing[2])


def test_the_chat_page_s_modules_are_its_own(browser, gateway):
    """They are in one script, and have their addresses beside it."""
    page = browser.chat()
    found = page.js("""return (async () => {
      const script = document.querySelector('script[type=module]').src;
      const own = (name) => import(new URL(name, script));
      const [modules, texts, view, {Parley}] = await Promise.all(['modules.js', 'texts.js', 'message-view.js', '../parley.js'].map(own));
      const loaded = performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname).filter((name) => name.endsWith('.js'));
      return [new URL(script).pathname, typeof modules.replaceModule, texts.texts.common.send, typeof view.MessageView, typeof Parley, loaded];
    })()""")
    assert re.fullmatch(r"/web/[0-9a-f]{16}/chat/assets/chat-page.js", found[0])
    assert found[1:5] == ["function", "Send", "function", "function"]
    assert not any("bundle/" in name for name in found[5]), found[5]


def test_an_edited_file_is_loaded(browser, gateway, tmp_path):
    """Who works on the pages sees a change with the next load, although browsers keep the files for good."""
    web = tmp_path / "web"
    shutil.copytree(WEB, web)
    gateway.stop()
    gateway.options = ("--web", str(web))
    gateway.start()
    page = browser.chat()
    before = page.js("return getComputedStyle(document.body).borderTopColor")
    style = web / "assets" / "base.css"
    style.write_text(style.read_text() + "\nbody { border-top-color: rgb(1, 2, 3); }\n")
    page.reload()
    page.ready()
    assert before != page.js("return getComputedStyle(document.body).borderTopColor") == "rgb(1, 2, 3)"


@pytest.mark.parametrize("side", ["chat", "desk"])
def test_one_can_write_before_the_gateway_has_answered(browser, gateway, side):
    """What was on show last is there again at once, and what is written into it is sent when the gateway is heard of."""
    session, threads = gateway.made
    path = f"/?channel=multi&thread={threads[0]}" if side == "chat" else f"/desk?thread={threads[0]}"

    def begin():
        page = browser.page()
        page.remember({"parley.session.local.multi": session})
        return page

    page = begin()
    page.go(path)
    page.ready()
    page.shows("Yes please. That was quick 👍")
    page.close()
    page = begin()
    page.cdp("Fetch.enable", patterns=[{"urlPattern": "*/v1/*"}])  # what the page asks for waits
    page.go(path)
    page.write("composer", "Written at once")
    assert page.messages() == [] and page.js("return document.body.dataset.ready") is None
    assert page.thread == threads[0]
    assert not page.text("conversation-title"), "no names before one is known to be signed in"
    page.press("\ue007")
    page.shows("Written at once")
    page.cdp("Fetch.disable")
    page.ready()
    page.shows("Yes please. That was quick 👍", "Written at once")
    page.becomes("Written at once", "sent", "delivered", "seen")
    assert page.text("conversation-title")


def test_what_was_shown_last_may_be_gone(browser, gateway, console):
    """The session is no more: the page begins as if it had never been there."""
    console.expect("ParleyError|status of 404")  # of the session, and of the conversation in the new one
    session, threads = gateway.made
    page = browser.page()
    page.remember({"parley.session.local.multi": session})
    page.go(f"/?channel=multi&thread={threads[0]}")
    page.ready()
    page.shows("Yes please. That was quick 👍")
    page.go("/docs")
    gateway.api("DELETE", f"/v1/sessions/{session}")
    page.go(f"/?channel=multi&thread={threads[0]}")
    page.wait(lambda: page.js("return localStorage.getItem('parley.session.local.multi')") not in (None, session), "another session")
    page.find("start")
    assert page.messages() == []


def test_what_was_shown_last_may_be_closed(browser, gateway):
    session, threads = gateway.made
    page = browser.page()
    page.remember({"parley.session.local.multi": session})
    page.go(f"/?channel=multi&thread={threads[0]}")
    page.ready()
    page.go("/docs")
    gateway.post(f"/v1/sessions/{session}/threads/{threads[0]}/archive")
    page.go(f"/?channel=multi&thread={threads[0]}")
    page.ready()
    page.find("closed-note")
    assert not page.has("composer")


@pytest.mark.parametrize("path", ["/?channel=multi", "/desk"])
def test_a_page_shows_itself_before_its_data(browser, gateway, path):
    page = browser.page()
    page.cdp("Fetch.enable", patterns=[{"urlPattern": "*/v1/*"}])  # what the page asks for waits
    page.go(path)
    page.find("search")
    assert page.js("return document.body.dataset.ready") is None
    page.cdp("Fetch.disable")
    page.ready()
