"""The loader of the chat widget, on pages of a shop, against a frame that says what the test wants."""

import pytest
from selenium.webdriver.common.keys import Keys

from page import PHONE
from widget_host import Host
from widget_sites import CHAT, Site, StubGateway


@pytest.fixture(scope="module")
def gateway():
    stub = StubGateway()
    yield stub
    stub.close()


@pytest.fixture(scope="module")
def shop():
    site = Site()
    yield site
    site.close()


@pytest.fixture
def host(browsers, gateway, shop, request):
    """Opens a page of the shop that has the chat."""
    browser = browsers(signed_in=False)
    for site in (gateway, shop):
        browser.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": site.address, "storageTypes": "all"})

    def visit(body=CHAT, *, size=None, **how):
        host = Host(browser.page(agent=None, **({"size": size} if size else {})))
        return host.go(shop.shop("/" + request.function.__name__, gateway, body, **how))

    return visit


def test_a_click_opens_the_chat_and_escape_leads_back(host, gateway):
    gateway.asked.clear()
    page = host().shows()
    assert page.launcher() == ["Open chat", "false"]
    assert page.js("return panel.checkVisibility({ visibilityProperty: true })") is False
    assert not [one for one in gateway.asked if "frame=1" in one], "the frame waits until somebody is about to open it"
    page.click().ready()
    page.wait(lambda: page.frame("return document.activeElement.id") == "field", "the frame has the focus, and its field")
    assert page.js("return document.activeElement.localName") == "parley-holder"
    assert page.launcher() == ["Close chat", "true"]
    assert page.js("return [panel.ariaLabel, panel.ariaModal, part('frame').title, chat.isOpen]") == ["Chat", "false", "Chat", True]
    assert "/widget/help?frame=1&lang=en" in gateway.asked
    page.page.press(Keys.ESCAPE)
    page.tells("close")
    assert page.js("return holder.shadowRoot.activeElement.part.value") == "launcher"
    assert page.launcher() == ["Open chat", "false"]
    assert page.heard("open")[0]["focus"] is True and page.heard("close")
    assert sorted(page.told()) == [["close"], ["open"], ["ready"]]


def test_pointing_loads_the_frame_and_a_click_shows_it_at_once(host):
    page = host().shows()
    page.js("part('launcher').dispatchEvent(new PointerEvent('pointerenter'))")
    page.ready()
    assert page.js("return chat.isOpen") is False
    page.click()
    page.wait(lambda: page.heard("open"), "the frame knows that it is open")


def test_a_frame_that_takes_no_focus_gets_it(host, gateway):
    gateway.channel("shy", shy=True)
    page = host(CHAT.replace("help", "shy")).shows().click().ready()
    page.wait(lambda: page.js("return holder.shadowRoot.activeElement === part('frame')"), "the frame has the focus")
    page.page.press(Keys.ESCAPE)
    page.tells("close")


def test_the_page_keeps_its_focus_when_it_opens_the_chat_itself(host):
    page = host(CHAT.replace("lang=", "open lang=")).ready()
    assert page.js("return [chat.isOpen, document.activeElement.localName]") == [True, "body"]
    page.wait(lambda: page.heard("open") == [{"type": "open", "focus": False}], "the frame is told to leave the focus")
    page.js("chat.removeAttribute('open')")
    assert page.js("return chat.isOpen") is False
    page.js("chat.setAttribute('open', '')")
    page.js("chat.setAttribute('position', 'start')")
    assert page.js("return [chat.isOpen, panel.getBoundingClientRect().left]") == [True, 20]
    page.js("chat.close(); chat.setAttribute('position', 'end')")
    assert page.js("return chat.isOpen") is False, "another attribute changed, not this one"


def test_a_page_with_a_button_of_its_own(host):
    page = host(CHAT.replace("lang=", 'launcher="none" lang='))
    page.wait(lambda: page.js("return holder !== null"), "the chat is there")
    assert page.js("return part('launcher').checkVisibility()") is False
    page.js("own.focus(); own.onclick = () => chat.open('thread-1'); own.click()")
    page.ready()
    page.wait(lambda: page.heard("open") == [{"type": "open", "thread": "thread-1", "focus": True}], "the frame shows the conversation")
    page.js("chat.toggle()")
    assert page.js("return [chat.isOpen, document.activeElement.id]") == [False, "own"]


def test_a_phone_shows_nothing_else_and_gives_the_page_back(host):
    page = host(size=PHONE, html='style="overflow-x: clip"').shows()
    page.js("document.documentElement.append(Object.assign(document.createElement('p'), { inert: true, id: 'still' })); document.body.style.height = '3000px'")
    before = page.js("return [document.documentElement.cloneNode(false).outerHTML, document.body.cloneNode(false).outerHTML]")
    page.click().ready()
    page.wait(lambda: page.js("const box = panel.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]") == [0, 0, *PHONE],
              "the chat covers the page")
    assert page.js("return [panel.ariaModal, document.body.inert, getComputedStyle(document.documentElement).overflowY]") == ["true", True, "hidden"]
    assert page.js("return part('launcher').checkVisibility()") is False
    page.js("chat.close()")
    assert page.js("return [document.documentElement.cloneNode(false).outerHTML, document.body.cloneNode(false).outerHTML]") == before
    assert page.js("return [still.inert, getComputedStyle(document.documentElement).overflowY, document.adoptedStyleSheets.length]") == [True, "visible", 0]
    page.click()
    page.page.look()
    page.wait(lambda: not page.js("return document.body.inert"), "a window that grows is no phone any more")


def test_unread_messages_are_on_the_badge_and_said_once(host):
    page = host().shows()
    page.js("window.said = []; new MutationObserver(() => said.push(region.textContent)).observe("
            "window.region = holder.shadowRoot.querySelector('output'), { childList: true })")
    page.js("part('launcher').dispatchEvent(new Event('focus'))")
    page.ready()
    for count in (1, 2, 120):
        page.say({"type": "unread", "count": count})
        page.tells("unread", {"count": count})
    assert page.launcher()[0] == "Open chat, 120 unread messages"
    assert page.js("return [part('badge').textContent, chat.unread, said.filter(Boolean)]") == ["99+", 120, ["Open chat, 1 unread message"]]
    page.click()
    assert page.js("return part('badge').checkVisibility()") is False
    page.say({"type": "unread", "count": 0})
    page.tells("unread", {"count": 0})
    page.js("chat.close()")
    assert page.launcher()[0] == "Open chat"


def test_only_right_messages_of_the_frame_count(host):
    page = host().shows().click().ready()
    for wrong in (None, 7, "unread", [], {}, {"type": "unread"}, {"type": "unread", "count": -1}, {"type": "unread", "count": "3"},
                  {"type": "message", "from": "agent", "id": {"a": 1}}, {"type": "toString"}, {"type": "__proto__"}, {"type": "open"},
                  {"type": "needIdentity", "reason": "now"}, {"type": "done", "id": 1, "ok": "yes"}, {"type": "error", "code": "a" * 200}):
        page.say(wrong)
    page.say({"type": "message", "from": "agent", "id": "m-1", "text": "secret", "url": "https://evil.example"})
    page.tells("message", {"from": "agent", "id": "m-1"})
    page.say({"type": "rated", "score": 5})
    page.tells("rated", {"score": 5})
    assert sorted(page.told()[:2]) == [["open"], ["ready"]]
    assert page.told()[2:] == [["message", {"from": "agent", "id": "m-1"}], ["rated", {"score": 5}]]
    # Time stands still, so that all of them come within one second.
    page.js("window.at = performance.now() + 5000; performance.now = () => at")
    page.frame("for (let count = 1; count <= 500; count += 1) say({ type: 'unread', count })")
    page.wait(lambda: page.js("return chat.unread") == 50, "50 were heard")
    page.js("window.at += 1000")
    page.frame("say({ type: 'unread', count: 7 })")
    page.wait(lambda: page.js("return chat.unread") == 7, "the others were not, and the next second's are")


def test_what_the_frame_does_not_answer_at_once_is_asked_again(host, gateway):
    gateway.channel("slow", wanted=3)
    page = host(CHAT.replace("help", "slow")).shows().click().ready()
    hellos = page.frame("return hellos")
    assert len(hellos) == 3
    assert hellos[0] == {"parley": 1, "type": "hello", "page": page.js("return location.href"), "title": "Shop", "lang": "en", "open": True}


@pytest.mark.parametrize("kind", ["silent", "framed by nobody", "another version"])
def test_a_frame_that_is_never_ready(host, gateway, console, kind):
    if kind == "framed by nobody":
        console.expect("frame-ancestors|chrome-error|target origin")
        gateway.channel("off", frame_headers={"Content-Security-Policy": "frame-ancestors 'none'"})
    else:
        gateway.channel("off", wanted=99 if kind == "silent" else 1, version=1 if kind == "silent" else 2)
    page = host(CHAT.replace("help", "off"), host="data-hurry").shows().click()
    page.tells("error", {"code": "version" if kind == "another version" else "blocked"})
    # A pointer above the button loads the frame: it may have failed before the click, which tries once more.
    page.wait(lambda: not page.js("return part('frame').checkVisibility()"), "the frame is hidden")
    link = page.js("const link = panel.querySelector('a'); return [panel.innerText, link.href, link.target, link.rel, link.checkVisibility()]")
    assert link[0].split("\n\n") == ["The chat cannot be loaded here.", "Open it in a new tab"]
    assert link[1:] == [f"{gateway.address}/widget/off", "_blank", "noopener", True]
    assert page.js("return holder.shadowRoot.querySelector('output').textContent") == "The chat cannot be loaded here."
    gateway.channel("off")
    page.page.press(Keys.ESCAPE)
    page.click().ready()
    assert page.js("return [panel.querySelector('a').checkVisibility(), part('frame').checkVisibility({ visibilityProperty: true })]") == [False, True]


def test_a_gateway_that_is_not_reachable_leaves_the_content(host, gateway, console):
    console.expect("404|parley-chat|CORS|ERR_FAILED")
    page = host(CHAT.replace("help", "none"))
    page.tells("error", {"code": "unreachable"})
    assert page.js("return [holder, chat.querySelector('a').checkVisibility()]") == [None, True]
    page.js("chat.setAttribute('channel', 'help')")
    assert page.shows().js("return chat.querySelector('a').checkVisibility()") is False
    page.js("chat.setAttribute('channel', 'none')")
    page.wait(lambda: page.told() == [["error", {"code": "unreachable"}]] * 2, "there is no chat again")
    assert page.js("return [holder, chat.querySelector('a').checkVisibility()]") == [None, True]


def test_a_jwt_waits_for_the_frame_and_the_last_one_counts(host):
    page = host().shows()
    page.js("chat.identify('first'); chat.identify(async () => { window.asked = (window.asked ?? 0) + 1; return `jwt-${asked}`; })")
    page.click().ready()
    page.wait(lambda: page.heard("identify") == [{"type": "identify", "jwt": "jwt-1"}], "the frame has it")
    page.say({"type": "needIdentity", "reason": "start"})
    page.say({"type": "needIdentity", "reason": "expired"})
    page.tells("identityexpired", {"reason": "expired"})
    assert page.js("return asked") == 1, "not again within 30 s"
    page.js("const now = performance.now(); performance.now = () => now + 31000")
    page.say({"type": "needIdentity", "reason": "expired"})
    page.wait(lambda: page.heard("identify")[1:] == [{"type": "identify", "jwt": "jwt-2"}], "the function was asked again")
    page.js("chat.identify('own')")
    page.say({"type": "needIdentity", "reason": "invalid"})
    page.tells("identityexpired", {"reason": "invalid"})
    assert [one["jwt"] for one in page.heard("identify")] == ["jwt-1", "jwt-2", "own"]
    assert page.js("try { chat.identify(7) } catch (error) { return error.name }") == "TypeError"


def test_shutdown_forgets_the_visitor(host):
    page = host().shows().click().ready()
    page.say({"type": "message", "from": "customer", "id": "m-1"})
    page.tells("message", {"from": "customer", "id": "m-1"})
    assert page.js("return { ...localStorage }") == {"parley.seen": "1"}
    page.js("location.reload()")
    page.ready()  # without a click: the badge may have news
    page.js("chat.identify('a'); return chat.shutdown()")
    assert page.js("return [chat.isOpen, { ...localStorage }, { ...sessionStorage }, document.cookie]") == [False, {}, {}, ""]
    assert page.heard("shutdown")


def test_texts_are_put_into_the_frame(host):
    page = host().shows()
    page.js("chat.prefill({ text: 'old' }); chat.prefill({ text: 'About order 7', fields: { email: 'a@b.example' } })")
    page.click().ready()
    page.wait(lambda: page.heard("prefill") == [{"type": "prefill", "text": "About order 7", "fields": {"email": "a@b.example"}}], "the last one came")
    assert page.js("try { chat.prefill({ text: 'x'.repeat(20000) }) } catch (error) { return error.name }") == "RangeError"
    assert page.js("try { chat.prefill({ text: 7 }) } catch (error) { return error.name }") == "TypeError"


def test_the_frame_learns_where_the_visitor_goes(host):
    page = host(host="data-hurry").shows().click().ready()
    page.js("history.pushState(null, '', '/shoes?token=secret#part'); document.title = 'Shoes'")
    page.wait(lambda: page.heard("page"), "the frame knows")
    assert page.heard("page") == [{"type": "page", "url": page.js("return location.origin") + "/shoes", "title": "Shoes"}]


def test_languages(host):
    page = host(CHAT.replace('"en"', '"de-AT"')).shows()
    assert page.launcher()[0] == "Chat öffnen"
    page.click().ready()
    page.js("chat.lang = 'ar'")
    page.wait(lambda: page.heard("lang") == [{"type": "lang", "lang": "ar"}], "the frame knows")
    assert page.launcher()[0] == "إغلاق الدردشة"
    assert page.js("return panel.getBoundingClientRect().left") == 20, "the end of a line is at the left"


def test_the_page_says_how_it_looks(host):
    style = """:root { --parley-offset-x: 40px } parley-chat { --parley-size: 80px; --parley-colour: rgb(1, 2, 3) }
               ::part(launcher) { border-radius: 7px }"""
    page = host(style=style).shows()
    look = page.js("const one = part('launcher'), style = getComputedStyle(one); const box = one.getBoundingClientRect();"
                   "return [box.width, innerWidth - box.right, style.backgroundColor, style.borderRadius]")
    assert look == [80, 40, "rgb(1, 2, 3)", "7px"]


def test_there_is_one_chat(host, console):
    console.expect("one is enough")
    page = host(CHAT + CHAT.replace("help", "none")).shows().click().ready()
    assert page.js("return document.querySelectorAll('parley-holder').length") == 1
    assert page.js("document.querySelectorAll('parley-chat')[1].close(); return chat.isOpen") is True


def test_a_page_that_replaces_its_body_keeps_the_chat(host):
    page = host(size=PHONE).shows().click().ready()
    was = page.frame("return was")
    page.js("const next = document.createElement('body'); next.append('Next page', document.createElement('parley-chat'));"
            "next.lastChild.setAttribute('channel', 'help'); document.documentElement.replaceChild(next, document.body)")
    assert page.js("return [chat.isOpen, document.body.inert, holder.isConnected]") == [True, True, True]
    page.js("return new Promise((done) => setTimeout(done, 150))")
    assert page.frame("return was") == was, "the frame was not loaded again"
    page.js("chat.close(); chat.remove()")
    page.wait(lambda: page.js("return holder === null"), "without the element nothing is left")
    page.js("document.body.append(Object.assign(document.createElement('parley-chat'), { lang: 'de' })); document.querySelector('parley-chat').setAttribute('channel', 'help')")
    assert page.shows().launcher()[0] == "Chat öffnen"
