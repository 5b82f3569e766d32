"""The customer's chat (`/widget/{channel}`): at the top, in a frame of a page of another site, and behind a customer's link."""

import base64
import gzip
import hashlib
import hmac
import http.server
import json
import re
import signal
import threading
import time
import urllib.request
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from axe_core_python.base import AXE_FILE_PATH
from selenium.webdriver.common.keys import Keys

from gateway import Gateway, until
from page import PHONE
from test_accessibility import CONTRAST, SMALL_TARGETS, violations

AGENT = {"id": "mara", "name": "Mara Lind"}
PIXEL = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGNgYPiPF41KMzAAAFZGY53ZJgkAAAAAAElFTkSuQmCC")
SURVEY = {
    "name": "Before we begin",
    "fields": [
        {"ident": "mail", "label": "E-mail", "type": "email", "isRequired": True},
        {"ident": "topic", "label": "Topic", "type": "list", "options": [{"id": "bill", "label": "Invoices"}, {"id": "tech", "label": "Technical"}]},
        {"ident": "product", "label": "Product", "type": "tree", "options": [{"id": "hw", "label": "Hardware"}, {"id": "lamp", "label": "Lamp", "parentId": "hw"}]},
    ],
}
HOST = """<!doctype html><title>Shop</title><link rel="icon" href="data:,"><iframe id="chat" src="%s" onload="window.loaded = true" width="400" height="600"></iframe><iframe id="sibling" srcdoc=""></iframe>
<script>
window.heard = [];
const chat = document.getElementById('chat');
window.hello = (more = {}, target = chat.contentWindow, from = window) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }) => heard.push(data);
  window.port = port1;
  from.eval('(t, m, p) => t.postMessage(m, "*", p)')(target, { parley: 1, type: 'hello', page: location.href, title: 'Shop', open: true, ...more }, [port2]);
};
</script>"""


class Shop:
    """Pages of another site, by their paths."""

    def __init__(self):
        shop = self
        self.pages = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                page = shop.pages.get(self.path)
                self.send_response(200 if page else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write((page or "").encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.origin = f"http://localhost:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()


@pytest.fixture(scope="module")
def shop():
    shop = Shop()
    yield shop
    shop.server.shutdown()


@pytest.fixture(scope="module")
def gateway(tmp_path_factory, shop):
    gateway = Gateway(tmp_path_factory.mktemp("widget")).start()
    for channel in ("single", "multi", "live"):
        change(gateway, channel)(visitors={"public": True, "origins": [shop.origin]})
    yield gateway
    gateway.stop(signal.SIGKILL)


def change(gateway, channel):
    return lambda **patch: gateway.api("PATCH", f"/v1/desk/channels/{channel}", patch)


@pytest.fixture
def channel(gateway, shop):
    """Changes a channel for one test."""
    changed = set()

    def set_up(name, visitors=None, **patch):
        changed.add(name)
        public = {"public": True, "origins": [shop.origin], **(visitors or {})}
        change(gateway, name)(visitors=public, **patch)

    yield set_up
    for name in changed:
        change(gateway, name)(visitors={"public": True, "origins": [shop.origin]}, preChatSurvey=None, hours=None, outside=None)


@pytest.fixture
def visit(browsers, console):
    """Opens the chat of a channel as a customer who is not signed in anywhere."""
    browser = browsers(signed_in=False)

    def open_chat(channel, query="", **how):
        page = browser.page(f"/widget/{channel}{query}", agent=None, **how)
        page.ready()
        return page

    open_chat.browser = browser
    open_chat.console = console
    return open_chat


def state(page, *names):
    page.wait(lambda: page.js("return document.body.dataset.state") in names, f"the state is {names}")


def at_desk(gateway, text):
    """The thread in which a customer wrote this."""

    def found():
        for thread in gateway.get("/v1/desk/threads?limit=200")["items"]:
            if (thread.get("lastMessage") or {}).get("text") == text:
                return thread["id"]
        return None

    return until(found, f"the desk has {text!r}")


def answer(gateway, thread, text=None, **more):
    body = {"agent": AGENT, **({"text": text} if text else {}), **more}
    return gateway.post(f"/v1/desk/threads/{thread}/messages", body)


def sessions(gateway, channel):
    return [one for one in gateway.get("/v1/sessions?limit=200")["items"] if one["channel"]["id"] == channel]


def requests(page, part="/v1/"):
    return page.js("return performance.getEntriesByType('resource').map((one) => one.name).filter((name) => name.includes(arguments[0]))", part)


def test_a_visitor_and_an_agent_write_to_each_other(visit, gateway):
    chat = visit("single")
    assert requests(chat) == [] and chat.js("return localStorage.length + sessionStorage.length") == 0, "nothing happens before"
    before = len(sessions(gateway, "single"))
    chat.send("Where is my parcel? https://example.com/x")
    chat.becomes("Where is my parcel? https://example.com/x", "delivered")
    assert len(sessions(gateway, "single")) == before + 1
    link = chat.js("const link = all('link')[0]; return [link.href, link.target, link.rel]")
    assert link == ["https://example.com/x", "_blank", "noopener noreferrer nofollow ugc"]
    thread = at_desk(gateway, "Where is my parcel? https://example.com/x")
    gateway.post(f"/v1/desk/threads/{thread}/typing", {"isTyping": True, "agent": AGENT})
    chat.says("typing", "Mara Lind is typing")
    gateway.post(f"/v1/desk/threads/{thread}/assign", {"agent": AGENT})
    chat.says("line", "Mara Lind is now with you")
    answer(gateway, thread, "On its way")
    chat.shows("Where is my parcel? https://example.com/x", "On its way")
    chat.gone("typing")
    chat.says("announcer", "Mara Lind says: On its way")
    chat.wait(lambda: gateway.desk_messages(thread)[-1]["status"] == "seen", "the customer has seen it")
    gateway.post(f"/v1/desk/threads/{thread}/read")
    chat.becomes("Where is my parcel? https://example.com/x", "seen")
    chat.write("composer", "a dra")
    chat.reload()
    chat.ready()
    chat.shows("Where is my parcel? https://example.com/x", "On its way")
    assert chat.js("return all('composer')[0].value") == "a dra"
    token = json.loads(chat.js("return localStorage['parley.visitor.single']"))["token"]
    assert not any(token in name for name in requests(chat, "")), "the token stands in no address"


def test_what_is_written_while_the_gateway_is_away_arrives_once(visit, gateway):
    chat = visit("multi")
    chat.click("begin")
    chat.send("before")
    chat.becomes("before", "delivered")
    thread = at_desk(gateway, "before")
    visit.console.expect_outage()
    gateway.stop(signal.SIGKILL)
    chat.says("notice", "No connection")
    chat.send("meanwhile")
    chat.becomes("meanwhile", "sending", "failed")
    gateway.start()
    answer(gateway, thread, "from the desk")
    chat.wait(lambda: sorted(chat.texts()) == ["before", "from the desk", "meanwhile"], "all is there once")
    chat.becomes("meanwhile", "delivered", "seen")
    chat.js("""
      const real = window.fetch;
      window.fetch = (url, options) => {
        if (options.method !== 'POST' || !String(url).endsWith('/messages')) return real(url, options);
        window.fetch = real;
        return real(url, options).then(() => Promise.reject(new TypeError('the answer is lost')));
      };
    """)
    chat.send("answer lost")
    chat.becomes("answer lost", "delivered", "seen")
    texts = [one["text"] for one in gateway.desk_messages(thread)]
    assert sorted(texts) == ["answer lost", "before", "from the desk", "meanwhile"]
    chat.wait(lambda: sorted(chat.texts()) == sorted(texts), "all is there once")


def test_two_tabs_that_begin_at_once_share_one_session(visit, gateway):
    before = len(sessions(gateway, "single"))
    pages = [visit("single"), visit("single")]
    for number, page in enumerate(pages):
        page.write("composer", f"tab {number}")
        page.js("new BroadcastChannel('go').onmessage = () => all('send')[0].click()")
    pages[0].js("new BroadcastChannel('go').postMessage(1); all('send')[0].click()")
    for page in pages:
        page.wait(lambda: sorted(page.texts()) == ["tab 0", "tab 1"], "both stand in both")
    assert len(sessions(gateway, "single")) == before + 1
    assert sum(len(requests(page, "/v1/visitors")) for page in pages) == 1, "the other tab has waited"
    assert pages[0].js("return localStorage['parley.visitor.single']") == pages[1].js("return localStorage['parley.visitor.single']")


def test_choices_end_when_one_is_taken(visit, gateway):
    chat = visit("multi")
    chat.click("begin")
    chat.send("I want one")
    thread = at_desk(gateway, "I want one")
    colours = [{"text": "Red", "postback": "r"}, {"text": "Blue", "postback": "b"}]
    answer(gateway, thread, type="listPicker", content={"title": "Which?", "text": "Two", "buttons": colours})
    answer(gateway, thread, type="quickReplies", content={"title": "Sure?", "buttons": [{"text": "Yes", "postback": "y"}, {"text": "No"}]})
    chat.wait(lambda: chat.js("return all('choice').map((one) => one.textContent)") == ["Red", "Blue", "Yes", "No"], "both are offered")
    chat.js("all('choice').find((one) => one.textContent === 'Yes').click()")
    chat.wait(lambda: chat.js("return all('choice').map((one) => one.textContent)") == ["Red", "Blue"], "the replies are gone, the list stands")
    chat.js("all('choice')[1].click()")
    chat.wait(lambda: chat.js("return all('choice').every((one) => one.disabled)"), "the list is over")
    assert chat.js("return all('choice').map((one) => one.classList.contains('chosen'))") == [False, True]
    assert chat.focused() == "transcript", "the keyboard is not lost with the button"
    until(lambda: [one.get("postback") for one in gateway.desk_messages(thread)][-2:] == ["y", "b"], "the desk has both")


def test_files_go_both_ways(visit, gateway, tmp_path):
    picture = tmp_path / "lamp.png"
    picture.write_bytes(PIXEL)
    chat = visit("single")
    chat.write("composer", "look")
    chat.js("document.querySelector('[data-test=file-input]').hidden = false")
    chat.write("file-input", str(picture))
    chat.says("tray-file", "lamp.png")
    chat.click("send")
    chat.becomes("look", "delivered")
    thread = at_desk(gateway, "look")
    assert [one["name"] for one in gateway.desk_messages(thread)[-1]["attachments"]] == ["lamp.png"]
    chat.wait(lambda: chat.js("return all('image')[0]?.firstChild.naturalWidth") == 10, "the picture is painted")
    file = gateway.upload("/v1/desk/attachments", "notes.txt", "text/plain", b"words")
    answer(gateway, thread, attachments=[{"id": file["id"]}])
    chat.wait(lambda: "ticket=" in (chat.js("return all('file')[0]?.href") or ""), "the file has an address")
    address = chat.js("return all('file')[0].href")
    with urllib.request.urlopen(address, timeout=30) as got:
        assert got.read() == b"words"
    assert chat.js("return all('file')[0].getAttribute('aria-label')").startswith("Download notes.txt")


@pytest.mark.parametrize("name", ["multi", "single", "live"])
def test_a_survey_is_asked_first(visit, gateway, channel, name):
    channel(name, preChatSurvey=SURVEY)
    chat = visit(name)
    if name == "multi":
        chat.click("begin")
    state(chat, "survey")
    chat.click("survey-submit")
    chat.says("field-problem", "Please answer.")
    assert chat.js("return document.activeElement.dataset.ident") == "mail"
    chat.write("survey-field", "nonsense")
    chat.click("survey-submit")
    chat.says("field-problem", "This is no e-mail address.")
    chat.fill("survey-field", "ann@example.com")
    chat.js("const [, topic, product] = all('survey-field'); topic.value = 'tech'; product.value = 'lamp'")
    chat.click("survey-submit")
    state(chat, "chat")
    chat.send(f"It flickers in {name}")
    thread = at_desk(gateway, f"It flickers in {name}")
    assert gateway.get(f"/v1/desk/threads/{thread}")["customFields"] == {"mail": "ann@example.com", "topic": "tech", "product": "lamp"}
    gateway.post(f"/v1/desk/threads/{thread}/close")


def test_a_live_chat_waits_and_ends_and_begins_anew(visit, gateway):
    chat = visit("live")
    chat.send("Hello?")
    chat.says("queue", "You are next.")
    thread = at_desk(gateway, "Hello?")
    gateway.post(f"/v1/desk/threads/{thread}/assign", {"agent": AGENT})
    chat.gone("queue")
    chat.says("status", "Mara Lind")
    chat.click("end")
    chat.click("ask-yes")
    chat.says("ended", "The chat has ended.")
    chat.says("announcer", "The chat has ended.")
    assert not chat.has("composer")
    chat.click("again")
    state(chat, "chat")
    chat.send("Me again")
    chat.becomes("Me again", "delivered")
    assert at_desk(gateway, "Me again") != thread
    gateway.api("PUT", "/v1/desk/channels/live/availability", {"isOnline": False})
    try:
        chat.click("menu")
        chat.click("sign-out")
        chat.click("ask-yes")
        chat.wait(lambda: chat.texts() == [] and chat.js("return localStorage.length") == 0, "nothing is left")
        chat.reload()
        state(chat, "away")
        chat.says("away", "Nobody is here now.")
    finally:
        gateway.api("PUT", "/v1/desk/channels/live/availability", {"isOnline": True})


def test_a_conversation_that_has_ended_goes_on_as_the_channel_says(visit, gateway, channel):
    channel("single", reopenDays=2)
    chat = visit("single")
    chat.send("First question")
    chat.becomes("First question", "delivered")
    thread = at_desk(gateway, "First question")
    gateway.post(f"/v1/desk/threads/{thread}/close")
    chat.says("ended", "This conversation has ended. Write to continue it.")
    chat.send("One more question")
    chat.becomes("One more question", "delivered")
    assert at_desk(gateway, "One more question") == thread
    chat.gone("ended")
    gateway.api("PATCH", "/v1/desk/channels/single", {"reopenDays": 0})


def closed_until(days):
    """Hours that begin some days from now, and when that is."""
    begin = (datetime.now(ZoneInfo("Asia/Tokyo")) + timedelta(days=days)).replace(hour=9, minute=30, second=0, microsecond=0)
    hours = {"timeZone": "Asia/Tokyo", "open": [{"day": begin.date().isoformat(), "times": [["09:30", "18:00"]]}]}
    return hours, begin.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def test_outside_the_hours_the_chat_says_when_somebody_comes(visit, gateway, channel):
    hours, begin = closed_until(3)
    channel("multi", hours=hours, outside={"askEmail": True, "answer": {"en": "Thank you. We are back soon."}})
    chat = visit("multi")
    words = chat.js(
        "const at = (options) => new Intl.DateTimeFormat('en', options).format(new Date(arguments[0]));"
        "return `We are here again ${at({weekday: 'long'})} at ${at({hour: 'numeric', minute: '2-digit'})}`", begin)
    chat.says("status", words)
    chat.click("begin")
    state(chat, "survey")
    chat.fill("survey-field", "nonsense")
    chat.click("survey-submit")
    chat.says("field-problem", "This is no e-mail address.")
    chat.fill("survey-field", "ann@example.com")
    chat.click("survey-submit")
    state(chat, "chat")
    chat.send("When do you open?")
    chat.wait(lambda: "Thank you. We are back soon." in chat.js("return document.querySelector('main').textContent"), "the answer is there")
    [thread] = [one for one in gateway.get("/v1/desk/threads?channel=multi&limit=200")["items"] if one["customFields"].get("email")]
    assert thread["customFields"] == {"email": "ann@example.com"} and thread["waitingSince"]
    # It hears that the channel opens.
    channel("multi", hours=None)
    chat.says("status", "We are here")


def test_a_live_chat_outside_the_hours_says_when_it_opens(visit, gateway, channel):
    channel("live", hours=closed_until(3)[0])
    chat = visit("live")
    state(chat, "away")
    chat.says("away", "We are here again")
    channel("live", hours={**closed_until(3)[0], "mode": "always"})
    chat.reload()
    state(chat, "chat")


def test_a_link_leads_to_the_conversation(visit, gateway):
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "ann"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {})["id"]
    gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": "as before"})
    change(gateway, "multi")(visitors={"public": False})
    try:
        url = gateway.post(f"/v1/sessions/{session}/links", {})["url"]
        page = visit.browser.page(url, agent=None)
        page.ready()
        page.says("link-text", "computer of others")
        page.click("open-link")
        page.wait(lambda: page.js("return location.pathname") == "/widget/multi", "the chat opens")
        page.ready()
        page.says("thread", "You: as before")
        page.click("thread")
        page.shows("as before")
        page.send("by the link")
        page.becomes("by the link", "delivered")
        used = visit.browser.page(url, agent=None)
        used.ready()
        visit.console.expect("status of 410")
        if used.has("open-link"):
            used.click("open-link")
        used.says("link-text", "does not work any more")
        page.js("localStorage.clear()")
        page.go("/widget/multi")
        page.ready()
        page.says("blocked", "This conversation is gone.")
    finally:
        change(gateway, "multi")(visitors={"public": True})


def framed(visit, shop, gateway, channel, name="/shop"):
    shop.pages[name] = HOST % f"{gateway.address}/widget/{channel}?frame=1"
    page = visit.browser.page(shop.origin + name, agent=None)
    page.wait(lambda: page.js("return window.loaded"), "the frame is loaded")
    return page


def in_frame(page, script):
    page.driver.switch_to.frame("chat")
    try:
        return page.driver.execute_script(script)
    finally:
        page.driver.switch_to.default_content()


def test_a_host_greets_once_and_hears_no_words(visit, gateway, shop):
    page = framed(visit, shop, gateway, "single")
    page.js("hello()")
    page.wait(lambda: page.js("return heard[0]") == {"type": "ready", "version": 1, "unread": 0, "lang": "en"}, "the frame is ready")
    page.js("port.postMessage({type: 'prefill', text: 'About the lamp'})")
    page.wait(lambda: in_frame(page, "return document.getElementById('composer').value") == "About the lamp", "the text stands in the field")
    page.js("port.postMessage({type: 'prefill', text: 'x'.repeat(17000)}); port.postMessage({type: 'nonsense'}); port.postMessage('open')")
    in_frame(page, "document.querySelector('[data-test=send]').click()")
    thread = at_desk(gateway, "About the lamp")
    visited = [one for one in sessions(gateway, "single")][-1]
    page.js("port.postMessage({type: 'close'})")
    sent = answer(gateway, thread, "secret words")
    page.wait(lambda: {"type": "message", "from": "agent", "id": sent["id"]} in page.js("return heard"), "the host hears of it")
    page.wait(lambda: {"type": "unread", "count": 1} in page.js("return heard"), "and that it is unread")
    in_frame(page, "document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true}))")
    page.wait(lambda: {"type": "closing"} in page.js("return heard"), "Escape closes")
    page.js("port.postMessage({type: 'open'})")
    page.wait(lambda: page.js("return heard.filter(({type}) => type === 'unread').at(-1)") == {"type": "unread", "count": 0}, "it is read")
    page.js("port.postMessage({type: 'shutdown', id: 7})")
    page.wait(lambda: {"type": "done", "id": 7, "ok": True} in page.js("return heard"), "the session is gone")
    heard = json.dumps(page.js("return heard"))
    assert "secret" not in heard and "lamp" not in heard and visited["id"] not in heard
    assert in_frame(page, "return localStorage.length") == 0


def test_a_hostile_greeting_is_ignored(visit, gateway, shop):
    page = framed(visit, shop, gateway, "single", "/hostile")
    page.js("hello({}, chat.contentWindow, document.getElementById('sibling').contentWindow)")  # of a sibling frame
    page.js("hello({parley: undefined}); chat.contentWindow.postMessage({parley: 1, type: 'hello', open: true}, '*')")  # no version, no port
    in_frame(page, "window.postMessage({parley: 1, type: 'hello', open: true}, '*', [new MessageChannel().port2])")  # of itself
    page.js("hello({parley: 2})")
    page.wait(lambda: page.js("return heard") == [{"type": "error", "code": "version", "version": 1}], "only the version is answered")
    page.js("hello(); window.first = port")
    page.wait(lambda: [one["type"] for one in page.js("return heard")][:2] == ["error", "ready"], "the right one is taken")
    page.js("hello(); port.postMessage({type: 'prefill', text: 'late'}); first.postMessage({type: 'prefill', text: 'first'})")
    page.wait(lambda: in_frame(page, "return document.getElementById('composer').value") == "first", "the first port counts")
    assert [one["type"] for one in page.js("return heard")].count("ready") == 1


def jwt(secret, **claims):
    part = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")
    head = part(json.dumps({"alg": "HS256", "kid": secret["id"]}).encode()) + b"." + part(json.dumps(claims).encode())
    return (head + b"." + part(hmac.new(secret["secret"].encode(), head, hashlib.sha256).digest())).decode()


def test_consent_work_and_identity_come_before_the_first_message(visit, gateway, shop, channel):
    consent = {"version": "2026-05", "required": True, "url": "https://example.com/privacy"}
    channel("single", {"identity": "required", "proof": "work", "consent": consent})
    secret = gateway.post("/v1/desk/channels/single/identitySecrets", {})
    page = framed(visit, shop, gateway, "single", "/identity")
    shown = lambda: in_frame(page, "return document.body.dataset.state")
    press = lambda hook: in_frame(page, f"document.querySelector('[data-test={hook}]').click()")
    page.js("hello()")
    assert shown() == "consent"
    press("decline")
    assert shown() == "blocked"
    press("reconsider")
    press("agree")
    page.wait(lambda: shown() == "identityNeeded", "the host is asked")
    page.wait(lambda: {"type": "needIdentity", "reason": "start"} in page.js("return heard"), "over the port")
    visit.console.expect("status of 401")
    page.js("port.postMessage({type: 'identify', jwt: arguments[0]})", jwt({**secret, "secret": "wrong"}, sub="ann", exp=int(time.time()) + 600))
    page.wait(lambda: {"type": "needIdentity", "reason": "invalid"} in page.js("return heard"), "a bad one is refused")
    page.js("port.postMessage({type: 'identify', jwt: arguments[0]})", jwt(secret, sub="ann", exp=int(time.time()) + 600))
    page.wait(lambda: in_frame(page, "return localStorage.getItem('parley.visitor.single')"), "the session begins")
    assert json.loads(in_frame(page, "return localStorage['parley.visitor.single']"))["sub"] == "ann"
    page.wait(lambda: shown() == "chat", "one can write")
    assert sessions(gateway, "single")[-1]["customer"]["id"] == "ann"


@pytest.mark.parametrize("name", ["multi", "single"])
def test_who_signs_in_goes_on_with_what_was_written(visit, gateway, shop, channel, name):
    channel(name, {"identity": "optional"})
    secret = gateway.post(f"/v1/desk/channels/{name}/identitySecrets", {})
    in_frame(framed(visit, shop, gateway, name, f"/late-{name}"), "localStorage.clear()")  # of a customer before
    page = framed(visit, shop, gateway, name, f"/late-{name}")
    page.js("hello()")
    page.wait(lambda: page.js("return heard[0]?.type") == "ready", "the frame is ready")
    put = """
      const field = document.getElementById('composer');
      field.value = arguments[0];
      field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    """
    show = """
      return [...document.querySelectorAll('[data-test=message]')].map((one) =>
        [one.querySelector('[data-test=text]').textContent, one.dataset.direction])
    """
    texts = lambda: in_frame(page, show)
    if name == "multi":
        in_frame(page, "document.querySelector('[data-test=begin]').click()")
    words = f"Do you have it in blue? ({name})"
    in_frame(page, put.replace("arguments[0]", json.dumps(words)))
    in_frame(page, "document.querySelector('[data-test=send]').click()")
    thread = at_desk(gateway, words)
    answer(gateway, thread, "Yes")
    page.wait(lambda: texts() == [[words, "toAgent"], ["Yes", "toClient"]], "both have written")
    in_frame(page, put.replace("arguments[0]", json.dumps("And in gr")))
    stored = lambda: json.loads(in_frame(page, f"return localStorage['parley.visitor.{name}']"))
    before = stored()
    visit.console.expect("status of 401")  # what was asked at the very moment
    page.js("port.postMessage({type: 'identify', jwt: arguments[0]})", jwt(secret, sub=f"late-{name}", exp=int(time.time()) + 600))
    page.wait(lambda: stored().get("sub") == f"late-{name}", "the session is the known customer's")
    assert stored()["session"] != before["session"]
    page.wait(lambda: texts() == [[words, "toAgent"], ["Yes", "toClient"]], "the conversation is still there")
    assert in_frame(page, "return [document.body.dataset.state, document.getElementById('composer').value]") == ["chat", "And in gr"]
    answer(gateway, thread, "Also in green")
    page.wait(lambda: texts()[-1] == ["Also in green", "toClient"], "it goes on")
    in_frame(page, "document.querySelector('[data-test=send]').click()")
    page.wait(lambda: texts()[-1] == ["And in gr", "toAgent"], "on both sides")
    at_desk(gateway, "And in gr")
    notice = "const notice = document.querySelector('[data-test=notice]'); return notice.hidden ? '' : notice.textContent"
    assert in_frame(page, notice) == "", "nothing is said to be gone"


def test_a_session_that_has_ended_begins_anew(visit, gateway):
    chat = visit("multi")
    chat.click("begin")
    chat.send("first")
    chat.becomes("first", "delivered")
    session = json.loads(chat.js("return localStorage['parley.visitor.multi']"))["session"]
    visit.console.expect("status of 40[14]")
    gateway.api("DELETE", f"/v1/sessions/{session}")
    state(chat, "idle")
    chat.says("notice", "This conversation is gone.")
    chat.click("begin")
    chat.send("second")
    chat.becomes("second", "delivered")
    assert json.loads(chat.js("return localStorage['parley.visitor.multi']"))["session"] != session


def test_a_customer_erases_themselves_where_the_channel_lets_them(visit, gateway, channel):
    chat = visit("multi")
    chat.click("begin")
    chat.send("to be kept")
    chat.becomes("to be kept", "delivered")
    chat.click("menu")
    assert not chat.has("erase")
    channel("multi", visitors={"selfErase": True})
    chat.go("/widget/multi")
    chat.ready()
    chat.click("menu")
    chat.click("erase")
    chat.says("ask", "Delete")
    chat.click("ask-no")
    at_desk(gateway, "to be kept")
    chat.click("menu")
    chat.click("erase")
    visit.console.expect("status of 401")
    chat.click("ask-yes")
    chat.wait(lambda: chat.js("return localStorage.getItem('parley.visitor.multi')") is None, "the browser forgets")
    until(lambda: all((one.get("lastMessage") or {}).get("text") != "to be kept" for one in gateway.get("/v1/desk/threads?limit=200")["items"]),
          "the desk has it no more")
    state(chat, "idle")


def test_the_head_and_the_page_of_a_link_show_the_logo(visit, gateway):
    with urllib.request.urlopen(urllib.request.Request(
            f"{gateway.address}/v1/desk/channels/multi/logo", PIXEL, {"Authorization": f"Bearer {gateway.token}", "Content-Type": "image/png"}, method="PUT")) as answer:
        logo = json.load(answer)["logo"]
    try:
        shown = "const one = document.querySelector('img.logo'); return one && !one.hidden && one.complete && one.naturalWidth > 0 && one.getAttribute('src')"
        chat = visit("multi")
        chat.wait(lambda: chat.js(shown) == logo, "the logo is in the head")
        session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "logo"}})["id"]
        page = visit.browser.page(gateway.post(f"/v1/sessions/{session}/links", {})["url"], agent=None)
        page.ready()
        page.wait(lambda: page.js(shown) == logo, "the logo is on the page")
    finally:
        gateway.api("DELETE", "/v1/desk/channels/multi/logo")
    assert visit("multi").js("return document.querySelector('img.logo').hidden")


def test_who_writes_too_much_keeps_the_text(visit):
    chat = visit("multi")
    chat.click("begin")
    chat.send("once")
    chat.becomes("once", "delivered")
    chat.js("""
      const real = window.fetch;
      window.fetch = (url, options) => String(url).endsWith('/messages') && options.method === 'POST'
        ? Promise.resolve(new Response('{"code":"tooManyMessages","status":429}', {status: 429, headers: {'Retry-After': '2'}}))
        : real(url, options);
      window.allow = () => (window.fetch = real);
    """)
    chat.write("composer", "too much" + Keys.ENTER)
    chat.says("composer-problem", "Please wait")
    assert chat.js("return all('composer')[0].value") == "too much" and chat.texts() == ["once"]
    assert chat.js("return document.getElementById(all('composer')[0].getAttribute('aria-describedby')).textContent") != ""
    chat.js("allow()")
    chat.gone("composer-problem")
    chat.press(Keys.ENTER)
    chat.becomes("too much", "delivered")


def test_without_storage_the_chat_works_and_says_what_is_lost(visit):
    page = visit.browser.page(agent=None)
    page.cdp("Page.addScriptToEvaluateOnNewDocument", source="for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, {get() { throw new Error('no') }})")
    page.go("/widget/single")
    page.ready()
    page.send("kept nowhere")
    page.becomes("kept nowhere", "delivered")
    page.says("notice", "Your browser does not let this chat keep anything.")


@pytest.mark.parametrize("lang", ["en", "de", "ar", "pl"])
def test_everybody_can_use_it(visit, gateway, channel, lang, shots):
    axe = AXE_FILE_PATH.read_text()
    channel("multi", preChatSurvey=SURVEY)
    chat = visit("multi", f"?lang={lang}", size=PHONE)
    found = []

    def look(name):
        found.extend(f"{name}: small {one}" for one in chat.js(SMALL_TARGETS))
        for dark in (False, True):
            chat.look((320, 640), dark)  # as a window 1280 wide that is enlarged to 400 %
            found.extend(f"{name} {'dark' if dark else 'light'}: {one}" for one in violations(chat, axe))
            found.extend(f"{name} {'dark' if dark else 'light'}: {one}" for one in chat.js(CONTRAST))
            found.extend(f"{name}: wide {one}" for one in chat.overflowing())
            chat.screenshot(shots / f"widget-{lang}-{name}-{'dark' if dark else 'light'}.png")

    look("start")
    chat.click("begin")
    chat.click("survey-submit")
    chat.find("field-problem")
    look("survey")
    chat.write("survey-field", "ann@example.com")
    chat.click("survey-submit")
    text = f"{lang} https://example.com/{'long' * 30}"
    chat.send(text)
    thread = at_desk(gateway, text)
    answer(gateway, thread, type="quickReplies", content={"title": "Sure?", "buttons": [{"text": "Yes"}, {"text": "No"}]})
    chat.find("choice")
    look("chat")
    chat.click("menu")
    look("menu")
    chat.press(Keys.ESCAPE)
    assert chat.focused() == "menu"
    gateway.post(f"/v1/desk/threads/{thread}/close")
    chat.find("ended")
    look("closed")
    assert found == []
    assert chat.js("return [document.documentElement.lang, document.documentElement.dir]") == [lang, "rtl" if lang == "ar" else "ltr"]
    # A name in Latin letters stands where the page's texts begin.
    side = "const range = new Range(); range.selectNodeContents(document.querySelector('h1')); const box = range.getBoundingClientRect();"
    assert chat.js(side + "return box.right > innerWidth - box.left") == (lang == "ar")


def test_it_weighs_little(visit, gateway):
    chat = visit("single")
    loaded = [name for name in requests(chat, "") if not name.endswith(".svg")]
    assert requests(chat) == []
    assert len(loaded) + 1 <= 8
    size = 0
    for address in [f"{gateway.address}/widget/single", *loaded]:
        with urllib.request.urlopen(address, timeout=30) as got:
            size += len(gzip.compress(got.read()))
    assert size <= 45_000, f"{size} bytes"
    with urllib.request.urlopen(f"{gateway.address}/widget/single", timeout=30) as got:
        assert re.search(r"trusted-types parley", got.headers["Content-Security-Policy"])


def test_older_messages_come_when_they_are_asked_for(visit, gateway):
    chat = visit("multi")
    chat.click("begin")
    chat.send("number 0")
    chat.becomes("number 0", "delivered")
    thread = at_desk(gateway, "number 0")
    chat.click("back")
    for number in range(1, 60):
        answer(gateway, thread, f"number {number}")
    chat.says("thread", "Mara Lind: number 59")
    chat.reload()
    chat.ready()
    assert chat.wait(lambda: chat.text("unread"), "what is unread is counted").startswith("59")
    chat.click("thread")
    chat.wait(lambda: chat.texts()[-1:] == ["number 59"], "it opens at its end")
    assert "number 19" not in chat.texts()
    chat.gone("unread")
    chat.js("const box = all('transcript')[0]; box.scrollTop = 0; box.dispatchEvent(new Event('scroll'))")
    where = "return all('message').find((one) => one.querySelector('.text').textContent === 'number 30').getBoundingClientRect().top"
    before = chat.js(where)
    chat.click("older")
    chat.wait(lambda: chat.texts()[0] == "number 0", "the first is there")
    assert abs(chat.js(where) - before) < 2, "what one reads stays where it was"
    assert chat.texts() == [f"number {number}" for number in range(60)]
    answer(gateway, thread, "one more")
    chat.says("news", "1 new message")
    chat.click("news")
    chat.gone("news")
    chat.wait(lambda: gateway.desk_messages(thread)[-1]["status"] == "seen", "it is read")
