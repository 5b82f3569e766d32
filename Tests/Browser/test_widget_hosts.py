"""The chat on pages of shops with rules of their own: shop and gateway are two sites, in Chromium and in Firefox."""

import signal
import urllib.request

import pytest
from selenium.webdriver.common.keys import Keys

from firefox import Firefox
from gateway import Gateway, until
from page import PHONE
from widget_host import LOOK, Host
from widget_sites import CHAT, Site

FIELD = "[data-test=composer]"


@pytest.fixture(scope="module")
def shop():
    site = Site()
    yield site
    site.close()


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, shop):
    gateway = Gateway(tmp_path_factory.mktemp("gateway"))
    gateway.start()
    for channel, origins in (("help", [shop.address]), ("elsewhere", ["https://other.example"])):
        visitors = {"public": True, "origins": origins}
        gateway.post("/v1/desk/channels", {"id": channel, "name": "Shop", "mode": "singlethread", "visitors": visitors})
    yield gateway
    gateway.stop(signal.SIGKILL)


def strict(gateway):
    return {"Content_Security_Policy": f"default-src 'none'; script-src 'self' {gateway.address}; frame-src {gateway.address}; "
                                       "require-trusted-types-for 'script'; trusted-types 'none'"}


def nonce(gateway):
    rule = "script-src 'nonce-once' 'strict-dynamic'; object-src 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    return {"Content_Security_Policy": rule,
            "head": f'<script nonce="once" src="/host.js"></script><script nonce="once" type="module" src="{gateway.address}/widget.js"></script>'}


def isolated(gateway):
    return {"Cross_Origin_Embedder_Policy": "require-corp", "Cross_Origin_Opener_Policy": "same-origin"}


RULES = [strict, nonce, isolated]


@pytest.fixture
def host(browsers, gateway, shop, request):
    browser = browsers(signed_in=False)

    def visit(body=CHAT, *, size=None, **how):
        host = Host(browser.page(agent=None, **({"size": size} if size else {})))
        return host.go(shop.shop("/" + request.function.__name__, gateway, body, **how))

    return visit


def usable(page):
    """The chat is open, and its field has the keyboard."""
    page.ready()
    page.wait(lambda: page.frame("return document.activeElement.matches(arguments[0])", FIELD), "the field has the focus")


def at_desk(gateway, text):
    def texts():
        return [(one.get("lastMessage") or {}).get("text") or "" for one in gateway.get("/v1/desk/threads")["items"]]

    until(lambda: any(one.endswith(text) for one in texts()), f"{text} is at the desk")


@pytest.mark.parametrize("rules", RULES, ids=lambda one: one.__name__)
def test_a_message_from_a_page_with_strict_rules(host, gateway, rules):
    page = host(**rules(gateway)).shows().click()
    usable(page)
    page.write(FIELD, f"From {rules.__name__}" + Keys.ENTER)
    at_desk(gateway, f"From {rules.__name__}")
    page.wait(lambda: "message" in [one[0] for one in page.told()], "the page heard that there is one")
    assert sorted(one[0] for one in page.told()) == ["message", "open", "ready"], "nothing was violated"
    assert page.js("return crossOriginIsolated") == (rules is isolated)
    assert page.js("return [{ ...localStorage }, document.cookie]") == [{"parley.seen": "1"}, ""]
    page.page.press(Keys.ESCAPE)
    page.wait(lambda: page.js("return holder.shadowRoot.activeElement?.part.value") == "launcher", "Escape leads back to the button")


def test_by_keyboard_and_by_ear(host, gateway):
    page = host().shows()
    page.js("document.getElementById('own').focus()")
    page.page.press(Keys.TAB)
    page.wait(lambda: page.js("return holder.shadowRoot.activeElement?.part.value") == "launcher", "Tab leads to the button")
    page.page.press(Keys.ENTER)
    usable(page)
    page.frame("window.said = []; const where = document.querySelector('[data-test=announcer]');"
               "new MutationObserver(() => where.textContent && said.push(where.textContent)).observe(where, { childList: true, characterData: true, subtree: true })")
    page.page.press("Only keys" + Keys.ENTER)
    at_desk(gateway, "Only keys")
    # The field may have had what an earlier test left there.
    [thread] = [one["id"] for one in gateway.get("/v1/desk/threads")["items"] if (one.get("lastMessage") or {}).get("text", "").endswith("Only keys")]
    for text in ("First", "Second"):
        gateway.post(f"/v1/desk/threads/{thread}/messages", {"agent": {"id": "mara", "name": "Mara"}, "text": text})
        page.wait(lambda: page.frame("return said.at(-1)") == f"Mara says: {text}", f"{text} is said")
    page.page.press(Keys.ESCAPE)
    page.tells("close")
    assert page.js("return holder.shadowRoot.activeElement.part.value") == "launcher"
    said = page.frame("return said")
    assert [said.count(f"Mara says: {text}") for text in ("First", "Second")] == [1, 1], f"each once: {said}"


def test_a_page_that_replaces_its_body_keeps_what_was_written(host):
    page = host().shows().click()
    usable(page)
    page.write(FIELD, "Half a sen")
    page.js("const next = document.createElement('body'); next.append(chat.cloneNode(true)); document.documentElement.replaceChild(next, document.body)")
    page.js("return new Promise((done) => setTimeout(done, 150))")
    page.write(FIELD, "tence")
    assert page.frame("return document.querySelector(arguments[0]).value", FIELD).endswith("Half a sentence")
    assert page.js("return chat.isOpen") is True


def test_a_page_from_right_to_left(host):
    page = host(CHAT.replace('"en"', '"ar"'), html='dir="rtl" lang="ar"').shows().click().ready()
    assert page.frame("return [document.dir, document.documentElement.lang]") == ["rtl", "ar"]
    page.wait(lambda: page.js("return [panel.getBoundingClientRect().left, part('launcher').getBoundingClientRect().left]") == [20, 20],
              "both stand at the left")


def test_a_page_that_unsets_all_styles(host):
    page = host(style="* { all: unset !important } head, style, script { display: none !important } html > * { display: none !important }").shows().click().ready()
    assert page.js("return [part('launcher').offsetWidth, getComputedStyle(holder).position, getComputedStyle(holder).zIndex]") == [56, "fixed", "2147483000"]
    page.wait(lambda: page.js("return panel.offsetWidth") == 400, "the panel has its size")
    assert page.js("const box = panel.getBoundingClientRect(); return document.elementFromPoint(box.x + 9, box.y + 99) === holder")


def test_nothing_of_it_is_printed(host):
    page = host().shows().click().ready()
    page.page.cdp("Emulation.setEmulatedMedia", media="print")
    assert page.js("return [holder, panel].map((one) => one.checkVisibility())") == [False, False]


def test_a_phone_with_the_real_frame(host):
    page = host(size=PHONE).shows().click().ready()
    assert page.js("return [panel.ariaModal, document.body.inert]") == ["true", True]
    page.wait(lambda: page.frame("return innerWidth") == PHONE[0], "the frame is as wide as the phone")
    page.page.driver.switch_to.frame(page.js("return part('frame')"))
    page.page.driver.find_element("css selector", "[data-test=close]").click()
    page.tells("close")
    assert page.js("return [document.body.inert, holder.shadowRoot.activeElement.part.value]") == [False, "launcher"]


def test_a_page_that_the_channel_does_not_name_shows_nothing(host, console):
    console.expect("frame-ancestors|chrome-error|target origin")
    page = host(CHAT.replace("help", "elsewhere"), host="data-hurry").shows().click()
    page.tells("error", {"code": "blocked"})
    # A pointer above the button loads the frame: it may have failed before the click, which tries once more.
    shown = "return [part('frame').checkVisibility(), panel.innerText.split('\\n')[0]]"
    page.wait(lambda: page.js(shown) == [False, "The chat cannot be loaded here."], "the visitor is told")


def test_a_page_loads_little_before_somebody_opens_the_chat(gateway):
    def travels(path, coding="gzip"):
        request = urllib.request.Request(gateway.address + path, headers={"Accept-Encoding": coding, "Origin": "https://shop.example"})
        with urllib.request.urlopen(request) as answer:
            assert answer.headers["Access-Control-Allow-Origin"] == "*"
            return len(answer.read())

    assert travels("/widget.js") < 6_500
    assert travels("/widget.js", "identity") < 15_000
    assert travels("/widget/help/config.js") < 3_000


FORGED = """<script>
window.told = [];
const hello = (target) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => told.push(data.type);
  target.postMessage({ parley: 1, type: 'hello', page: location.href, title: '', lang: 'en', open: true }, '*', [port2]);
};
</script>"""


def test_a_greeting_from_another_frame_is_not_heard(browsers, gateway, shop):
    evil = Site("127.0.0.1")
    evil.pages["/"] = (FORGED, {})
    shop.pages["/two"] = (f'{FORGED}<iframe src="{gateway.address}/widget/help?frame=1"></iframe><iframe src="{evil.address}/"></iframe>', {})
    page = browsers(signed_in=False).page(agent=None)
    page.go(f"{shop.address}/two")
    driver, frames = page.driver, page.js("return [...document.querySelectorAll('iframe')]")

    def within(frame, script):
        driver.switch_to.frame(frame)
        try:
            return driver.execute_script(script)
        finally:
            driver.switch_to.default_content()

    page.wait(lambda: within(frames[0], "return document.body.dataset.ready"), "the chat listens")
    within(frames[1], "hello(parent.frames[0])")
    page.js("hello(frames[0])")
    page.wait(lambda: "ready" in page.js("return told"), "the page around it was heard")
    assert within(frames[1], "return told") == []
    evil.close()


@pytest.fixture(scope="module")
def firefox():
    firefox = Firefox("ws://127.0.0.1:9/")
    yield firefox
    firefox.quit()


class FirefoxHost:
    """The same page in Firefox: `js` in the page, `frame` in the frame."""

    def __init__(self, firefox, page):
        self.firefox = firefox
        self.page = page

    def js(self, script):
        return self.page.js(f"(() => {{ {LOOK} return {script} }})()")

    def wait(self, script, what):
        until(lambda: self.js(script), what)

    def inner(self):
        [tree] = self.firefox.command("browsingContext.getTree", root=self.page.context)["contexts"]
        return next(one["context"] for one in tree["children"] if "/widget/" in one["url"])

    def frame(self, script):
        return self.firefox.attach(self.inner()).js(script)

    def press(self, text):
        keys = [{"type": kind, "value": sign} for sign in text for kind in ("keyDown", "keyUp")]
        source = {"type": "key", "id": "keys", "actions": keys}
        self.firefox.command("input.performActions", context=self.inner(), actions=[source])


@pytest.mark.parametrize("rules", RULES, ids=lambda one: one.__name__)
def test_firefox_with_strict_rules(firefox, gateway, shop, rules):
    host = FirefoxHost(firefox, firefox.page(shop.shop(f"/firefox-{rules.__name__}", gateway, **rules(gateway))))
    host.wait("part('launcher')?.checkVisibility() ?? false", "the button is there")
    # A pointer loads the frame out of sight. Then it cannot take the focus at once.
    host.js("part('launcher').dispatchEvent(new PointerEvent('pointerenter'))")
    if rules is not isolated:
        host.wait("told.some(([name]) => name === 'ready')", "the frame is ready")
    host.js("part('launcher').click()")
    host.wait("told.some(([name]) => name === 'ready')", "the frame is ready")
    until(lambda: host.frame(f"document.activeElement.matches('{FIELD}')"), "the field has the focus")
    assert host.js("document.activeElement.localName") == "parley-holder"
    host.press(f"Firefox, {rules.__name__}\ue007")
    at_desk(gateway, f"Firefox, {rules.__name__}")
    host.wait("told.some(([name]) => name === 'message')", "the page heard that there is one")
    host.press("\ue00c")
    host.wait("told.some(([name]) => name === 'close')", "Escape closes it")
    assert host.js("holder.shadowRoot.activeElement.part.value") == "launcher"
    assert host.js("told.map(([name]) => name).sort()") == ["close", "message", "open", "ready"]
    host.page.close()
