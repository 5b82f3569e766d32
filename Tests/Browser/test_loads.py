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

LINE = re.compile(r"bytes=(\d+).*?method=(\w+).*?route=(\S+).*?status=(\d+)")
#: One of them asks for tickets for the files of the conversation. The desk also asks who is there, for tags, counts, and what is
#: known of the customer.
MOST_COLD, MOST_WARM = {"chat": 14, "desk": 20}, {"chat": 8, "desk": 14}
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
        found = [(method, route, int(status), int(size)) for size, method, route, status in LINE.findall(self._text(gateway, start))]
        asked = [one for one in found if one[1] not in ("/v1/log", "/v1/streams")]
        # The desk asks for its counts after events, at most once a second: on a slow machine it does so while it is loaded.
        counts = [at for at, one in enumerate(asked) if one[1] == "/v1/desk/counts"]
        self.requests = [one for at, one in enumerate(asked) if at not in counts[1:]]
        self.files = [one for one in self.requests if one[1].startswith(("/web/", "/assets/", "/parley"))]
        self.count = len(self.requests) + len(gateway.streams())
        self.bytes = sum(size for _, _, _, size in self.requests)

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
    assert cold.count <= MOST_COLD[side], cold.requests
    assert all(status == 200 for _, _, status, _ in cold.files)
    assert warm.files == [], "files under a version are kept"
    assert warm.count <= MOST_WARM[side], warm.requests
    sizes = sum(len(path.read_bytes()) for path in WEB.rglob("*.js"))
    assert cold.bytes < sizes / 2, "texts travel compressed"
    # One collection is the list, and one the conversation that is open; all else is asked once.
    asked = sorted(one[:2] for one in warm.requests)
    collections = ("POST", "/v1/desk/collections" if side == "desk" else "/v1/sessions/{session}/collections")
    assert asked.count(collections) == 2 and len(asked) == len(set(asked)) + 1, asked


def test_a_module_under_a_version_is_the_page_s_own(browser, gateway):
    """The pages' modules are joined, but each address has what the file there exports."""
    page = browser.chat()
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
