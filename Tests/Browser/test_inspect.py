"""The inspector: the log, who reads, requests, problems and the sandbox, each as it happens."""

import json
import os
import signal
import subprocess
import urllib.request

import pytest
from axe_core_python.base import AXE_FILE_PATH
from selenium.webdriver.common.keys import Keys

from page import DESKTOP, PHONE
from receiver import Receiver
from test_accessibility import complaints
from test_layout import LOOKS, SHOTS

VIEWS = ["log", "readers", "requests", "problems", "sandbox"]
WORDS = "return all('row').map((one) => one.querySelector('.cell-words').textContent)"
TYPES = "return all('row').map((one) => one.querySelector('.cell-type').textContent)"


@pytest.fixture
def gateway(spares, request):
    """With CXone's sandbox, unless the test is marked `plain`; with Sendbird's, too, where it is marked `both`."""
    options = [] if request.node.get_closest_marker("plain") else ["--cxone-sandbox"]
    if request.node.get_closest_marker("both"):
        options.append("--sendbird-sandbox")
    gateway = spares.take(*options)
    yield gateway
    gateway.stop(signal.SIGKILL)


@pytest.fixture
def talk(gateway):
    """A customer who writes: (session, thread, say)."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "ada", "firstName": "Ada"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": "Lamp"})["id"]
    return session, thread, lambda text: gateway.post(f"/v1/sessions/{session}/threads/{thread}/messages", {"text": text})


def inspect(browser, view="log", query="", **look):
    page = browser.page(f"/inspect?view={view}{query}", **look)
    page.ready()
    return page


def rows(page):
    return page.js(WORDS)


def choose(page, hook, value):
    page.put(hook, value)


def unfold(page, words):
    """Unfolds the newest row that says this."""
    row = "const row = all('row').filter((one) => one.textContent.includes(arguments[0])).at(-1); "
    page.wait(lambda: page.js(row + "return Boolean(row)", words), f"a row says {words!r}")
    page.js(row + "row.querySelector('button').click()", words)


# -- the log

def test_the_log_is_live(browser, gateway, talk):
    _, thread, say = talk
    say("before")
    page = inspect(browser)
    page.wait(lambda: "Ada: before" in rows(page), "what was before is there")
    say("now")
    page.wait(lambda: "Ada: now" in rows(page), "what happens comes")
    unfold(page, "Ada: now")
    found = json.loads(page.text("row-json"))
    assert found["message"]["text"] == "now" and found["threadId"] == thread and found["customer"]["id"] == "ada"
    page.says("log-state", "Live")


def test_filters_are_in_the_address(browser, gateway, talk):
    session, thread, say = talk
    other = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "ben"}})["id"]
    apart = gateway.post(f"/v1/sessions/{other}/threads", {})["id"]
    gateway.post(f"/v1/sessions/{other}/threads/{apart}/messages", {"text": "of Ben"})
    say("one")
    say("two")
    page = inspect(browser)
    page.wait(lambda: "Ada: two" in rows(page), "the log is there")
    page.fill("log-types", "message.created")
    page.press(Keys.ENTER)
    page.wait(lambda: set(page.js(TYPES)) == {"message.created"} and len(rows(page)) == 3, "only messages")
    page.fill("log-account", "ada")
    page.press(Keys.ENTER)
    page.wait(lambda: rows(page) == ["Ada: one", "Ada: two"], "only Ada's")
    page.fill("log-text", "TWO")
    page.press(Keys.ENTER)
    page.wait(lambda: rows(page) == ["Ada: two"], "only what says it")
    assert "types=message.created" in page.js("return location.search") and "text=TWO" in page.js("return location.search")
    again = browser.page(page.js("return location.pathname + location.search"))
    again.wait(lambda: rows(again) == ["Ada: two"], "the address shows the same")
    assert again.js("return all('log-types')[0].value") == "message.created"
    narrow = inspect(browser, query=f"&thread={apart}&types=message.created")
    narrow.wait(lambda: len(rows(narrow)) == 1 and "of Ben" in rows(narrow)[0], "only this thread")
    own = inspect(browser, query=f"&session={session}&types=message.created")
    own.wait(lambda: [one.split(": ")[-1] for one in rows(own)] == ["one", "two"], "only this session")


def test_pause_loses_nothing(browser, gateway, talk):
    _, _, say = talk
    page = inspect(browser, query="&types=message.created")
    say("first")
    page.wait(lambda: rows(page) == ["Ada: first"], "it is live")
    page.click("log-pause")
    page.says("log-state", "Paused")
    page.wait(lambda: gateway.streams() == [], "nothing is read")
    for number in range(20):
        say(f"missed {number}")
    assert rows(page) == ["Ada: first"]
    page.click("log-pause")
    say("last")
    wanted = ["Ada: first", *(f"Ada: missed {number}" for number in range(20)), "Ada: last"]
    page.wait(lambda: rows(page) == wanted, "all are there, once and in order")


def test_a_hidden_page_asks_for_nothing(browser, gateway, talk):
    _, _, say = talk
    page = inspect(browser, query="&types=message.created")
    hide = "Object.defineProperty(document, 'visibilityState', {value: arguments[0], configurable: true}); document.dispatchEvent(new Event('visibilitychange'))"
    say("seen")
    page.wait(lambda: rows(page) == ["Ada: seen"], "it is live")
    page.js(hide, "hidden")
    page.wait(lambda: gateway.streams() == [], "the stream is closed")
    say("meanwhile")
    page.js(hide, "visible")
    page.wait(lambda: rows(page) == ["Ada: seen", "Ada: meanwhile"], "it goes on where it was")
    page.click("view-readers")
    page.find("streams")
    count = "window.asked ??= 0; const own = window.fetch; window.fetch = (...all) => { window.asked++; return own(...all); };"
    page.js(count)
    page.wait(lambda: page.js("return window.asked") > 0, "readers are asked for again and again")
    page.js(hide + "; window.asked = 0", "hidden")
    gateway.get("/v1/info")
    assert page.js("return new Promise((done) => setTimeout(() => done(window.asked), 2500))") == 0


def test_a_removed_message_is_shown_as_such(browser, gateway, talk):
    session, thread, say = talk
    sent = say("secret words")
    page = inspect(browser)
    page.wait(lambda: "Ada: secret words" in rows(page), "it is there")
    unfold(page, "Ada: secret words")
    page.find("row-json")
    gateway.api("DELETE", f"/v1/sessions/{session}/threads/{thread}/messages/{sent['id']}")
    page.find("redacted")
    page.wait(lambda: "secret words" not in page.js("return document.body.textContent"), "no row has the text")
    page.fill("log-text", "secret words")
    page.press(Keys.ENTER)
    page.says("log-state", "0 of")


def test_what_follows_from_a_place(browser, gateway, talk):
    _, _, say = talk
    say("one")
    page = inspect(browser, query="&types=message.created")
    page.wait(lambda: rows(page) == ["Ada: one"], "it is there")
    unfold(page, "Ada: one")
    [curl] = page.js("return [...document.querySelectorAll('.row-detail [data-test=follow-curl]')].map((one) => one.textContent)")
    [tail] = page.js("return [...document.querySelectorAll('.row-detail [data-test=follow-tail]')].map((one) => one.textContent)")
    [cursor] = page.js("return [...document.querySelectorAll('.row-detail [data-test=cursor]')].map((one) => one.textContent)")
    say("two")
    told = shell(gateway, f"{tail} --count 1 -q")
    assert "two" in told and "one" not in told and cursor in tail
    told = shell(gateway, f"{curl} 2>/dev/null | grep -m 1 '^data:.*two'")
    assert '"text":"two"' in told


def test_100000_events_stay_smooth(browser, gateway, talk):
    """The rows are a window: the document stays small, and new rows cost no more than a frame or two of work."""
    _, _, say = talk
    page = inspect(browser, query="&types=message.created")
    say("first")
    page.wait(lambda: rows(page) == ["Ada: first"], "it is live")
    size = page.js("""
      return import('/assets/log-book.js').then(({LogBook}) => import('/assets/row-list.js').then(({RowList}) => {
        const book = new LogBook();
        for (let n = 0; n < 100000; n++) book.add({id: `e-${n}`, type: 'message.created', data: {threadId: `t${n % 7}`, message: {id: `m${n}`, text: `text ${n}`}}});
        const list = new RowList({label: 'x', test: 'many', cells: ({words}) => [words], detail: () => 'x'});
        list.element.style.height = '300px';
        document.body.append(list.element);
        list.show(book.shown);
        window.many = {book, list};
        return book.shown.length;
      }))""")
    assert size == 100_000
    inside = "return document.querySelectorAll('[data-test=many] li').length"
    newest = "return document.querySelector('[data-test=many] li:last-child')?.textContent"
    page.wait(lambda: page.js(newest) == "text 99999", "the newest is on show")
    for number in range(3):
        page.js("many.book.add({id: 'e', type: 'message.created', data: {message: {id: 'm', text: `new ${arguments[0]}`}}}); many.list.show(many.book.shown)", number)
        page.wait(lambda: page.js(newest) == f"new {number}", "a new one comes")
    assert page.js(inside) <= 200
    for _ in range(6):
        page.js("document.querySelector('[data-test=many]').scrollTop = 0")
        page.wait(lambda: page.js("return document.querySelector('[data-test=many]').scrollTop") > 0, "older rows come above")
    assert page.js(inside) <= 200
    at = page.js(newest)
    page.js("many.book.add({id: 'e', type: 'message.created', data: {message: {id: 'm', text: 'unseen'}}}); many.list.show(many.book.shown); return new Promise(requestAnimationFrame)")
    assert page.js(newest) == at, "who reads older rows stays there"


# -- readers

def test_readers_with_their_lag(browser, gateway, talk):
    session, _, say = talk
    receiver = Receiver()
    gateway.post("/v1/webhooks", {"id": "crm", "url": receiver.url, "types": ["message.created"]})
    say("to the webhook")
    chat = browser.chat("multi")
    page = inspect(browser, "readers")
    page.wait(lambda: "ada" in (page.text("sessions") or "").lower() and session in page.text("sessions"), "the session is there")
    page.wait(lambda: "127.0.0.1" in (page.text("streams") or ""), "the chat page's stream is there")
    page.click("show-deliveries", '[data-id="crm"]')
    page.says("delivery-state", "Delivered")
    page.says("delivery-attempts", "1 attempt")
    page.click("redeliver")
    page.says("reader-said", "sent again")
    page.wait(lambda: len(receiver.requests) == 2, "it was sent again")
    page.says("delivery-attempts", "2 attempts")
    chat.close()
    page.wait(lambda: not page.has("streams"), "the stream is gone")
    receiver.server.shutdown()
    receiver.server.server_close()


# -- requests

def shell(gateway, line):
    path = f"{os.path.dirname(os.path.abspath(gateway.binary))}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PARLEY_DATA": str(gateway.data)}
    done = subprocess.run(["bash", "-uc", line], capture_output=True, text=True, timeout=60, env=environment, cwd=gateway.data)
    assert done.returncode == 0, done
    return done.stdout


def test_the_inspector_leaves_no_requests_and_says_who_follows(browser, gateway, talk):
    page = inspect(browser, "readers")
    page.says("sessions", "nobody follows")
    page.js("window.asked = 0; const ask = fetch; window.fetch = (...all) => { window.asked += 1; return ask(...all) }")
    page.wait(lambda: page.js("return window.asked") > 4, "readers are asked for again and again")
    paths = [one["path"] for one in gateway.get("/v1/requests")["items"] if one["token"] == "page"]
    assert not {"/v1/streams", "/v1/webhooks", "/v1/desk/devices"} & set(paths)


def test_a_request_is_made_again_by_a_shell(browser, gateway, talk):
    session, thread, say = talk
    page = inspect(browser, "requests")
    page.click("capture")
    page.find("capturing")
    say("it's \"again\" $HOME")
    unfold(page, "/messages")
    page.find("request-detail")
    assert json.loads(page.text("request-body"))["text"] == "it's \"again\" $HOME"
    curl = page.text("curl")
    assert "$(parley token)" in curl and gateway.token not in page.js("return document.body.textContent")
    shell(gateway, curl)
    shell(gateway, curl)  # the same key: it is sent once
    assert [one["text"] for one in gateway.desk_messages(thread)] == ["it's \"again\" $HOME"] * 2
    background = page.js("return getComputedStyle(all('capturing')[0]).backgroundColor")
    assert background == page.js("const one = document.createElement('i'); one.style.color = 'var(--danger)'; document.body.append(one); return getComputedStyle(one).color")
    page.click("capture")
    page.gone("capturing")
    assert gateway.get("/v1/requests")["capture"] == {"bytes": 0}


def test_requests_are_filtered(browser, gateway, talk):
    page = inspect(browser, "requests", "&status=4&token=gateway")
    with pytest.raises(Exception, match="404"):
        gateway.get("/v1/sessions/nobody")
    paths = "return all('row').map((one) => one.querySelector('.cell-words').textContent)"
    page.wait(lambda: page.js(paths) == ["/v1/sessions/nobody"], "only what was refused")
    choose(page, "request-status", "2")
    page.wait(lambda: "/v1/sessions" in page.js(paths) and "/v1/sessions/nobody" not in page.js(paths), "only what was done")
    assert "status=2" in page.js("return location.search")


def test_problems_are_grouped(browser, gateway, talk, console):
    for name in ("one", "two"):
        with pytest.raises(Exception, match="404"):
            gateway.get(f"/v1/sessions/{name}")
    page = inspect(browser, "problems")
    row = "return [...document.querySelectorAll('[data-test=problems] tbody tr')].map((one) => [...one.cells].map((cell) => cell.textContent))"
    page.wait(lambda: [one[:3] for one in page.js(row)] == [["unknownSession", "GET /v1/sessions/{session}", "2"]], "one group of two")
    assert "two" in page.js(row)[0][4], "the last detail"
    link = page.js("return all('problem-page')[0].href")
    assert link.endswith("/docs/problems/unknownSession")
    page.js("document.querySelector('[data-test=problems] a[data-view]').click()")
    page.wait(lambda: page.js("return all('row').length") == 2, "the requests of the group")


# -- the sandbox

SOCKET = """
const {sandbox} = arguments[0];
const channel = sandbox.channels.find((one) => one.channel === 'multi' && one.authorization === 'anonymous').id;
const query = new URLSearchParams({brandId: sandbox.brandId, channelId: channel, visitorId: 'v1', sdkPlatform: 'web', sdkVersion: '1.0'});
window.socket = new WebSocket(`ws://${location.host}/socket?${query}`);
window.ask = (eventType, data) => socket.send(JSON.stringify({action: 'chatWindowEvent', eventId: crypto.randomUUID(), payload: {brand: {id: sandbox.brandId}, channel: {id: channel}, customerIdentity: {idOnExternalPlatform: 'grace'}, eventType, data}}));
return new Promise((done) => { socket.onopen = () => done(true); socket.onclose = () => done(false); });
"""


def test_the_sandboxs_sockets_frames_and_faults(browser, gateway):
    page = inspect(browser, "sandbox")
    client = browser.page("/docs")
    assert client.js(SOCKET, gateway.get("/v1/info"))
    client.js("ask('AuthorizeCustomer', {authorization: {authorizationCode: 'hush-hush'}})")
    page.wait(lambda: "AuthorizeCustomer" in page.js(TYPES), "the frame is there")
    page.wait(lambda: "multi" in (page.text("sockets") or ""), "the socket is there")
    unfold(page, "AuthorizeCustomer")
    assert json.loads(page.text("frame-json"))["payload"]["eventType"] == "AuthorizeCustomer"
    assert "hush-hush" not in page.js("return document.body.textContent")
    choose(page, "fault-kind", "refuse")
    page.fill("fault-event", "FetchThreadList")
    page.click("add-fault")
    page.says("faults", "FetchThreadList")
    assert [one["kind"] for one in gateway.get("/v1/sandbox/faults")["items"]] == ["refuse"]
    page.click("clear-faults")
    page.find("no-faults")
    assert gateway.get("/v1/sandbox/faults")["items"] == []
    client.js("socket.close()")
    page.gone("sockets")


def test_frames_come_by_the_stream_and_the_filter_chooses(browser, gateway):
    client = browser.page("/docs")
    assert client.js(SOCKET, gateway.get("/v1/info"))
    client.js("ask('AuthorizeCustomer', {})")
    page = inspect(browser, "sandbox")
    page.wait(lambda: "AuthorizeCustomer" in page.js(TYPES), "what was before is there")
    page.says("frame-state", "Live")
    client.js("ask('FetchThreadList', {})")
    page.wait(lambda: "FetchThreadList" in page.js(TYPES), "what happens comes")
    asked = page.js("return performance.getEntriesByType('resource').map(({name}) => new URL(name)).filter(({pathname}) => pathname.startsWith('/v1/sandbox/frames')).map(({pathname}) => pathname)")
    assert set(asked) <= {"/v1/sandbox/frames/events"}, "nothing is polled"
    page.fill("frame-text", "fetchthread")
    page.press(Keys.ENTER)
    page.wait(lambda: page.js(TYPES) and all("FetchThread" in one or "ThreadList" in one for one in page.js(TYPES)), "only what says it")
    page.fill("frame-socket", "99")
    page.press(Keys.ENTER)
    page.wait(lambda: page.js(TYPES) == [], "no such socket")
    page.says("frame-state", "0 of ")


def test_a_fault_with_conditions(browser, gateway, console):
    console.expect("status of 422")
    page = inspect(browser, "sandbox")
    choose(page, "fault-kind", "refuse")
    page.fill("fault-event", "SendMessage")
    page.fill("fault-customer", "grace")
    page.click("fault-conditions")
    for name, value in {"nth": "2", "seconds": "30", "probability": "0.5", "seed": "7", "channel": "multi", "socket": "3", "errorCode": "Busy"}.items():
        page.fill(f"fault-{name}", value)
    page.click("add-fault")
    page.says("faults", "From the nth: 2")
    [fault] = gateway.get("/v1/sandbox/faults")["items"]
    wanted = {"kind": "refuse", "event": "SendMessage", "customer": "grace", "nth": 2, "lastsMilliseconds": 30000, "probability": 0.5,
              "seed": 7, "channel": "multi", "socket": 3, "errorCode": "Busy"}
    assert {name: value for name, value in fault.items() if name != "id"} == wanted
    page.fill("fault-event", "x" * 65)
    page.click("add-fault")
    page.says("inspect-problem", "/event")
    assert len(gateway.get("/v1/sandbox/faults")["items"]) == 1


def test_a_script_is_started_and_stopped(browser, gateway):
    page = inspect(browser, "sandbox")
    client = browser.page("/docs")
    assert client.js(SOCKET, gateway.get("/v1/info"))
    client.js("ask('AuthorizeCustomer', {})")
    page.find("no-scripts")
    page.click("new-script")
    page.fill("script-text", "{")
    page.click("start-script")
    page.says("inspect-problem", "not JSON")
    steps = [{"fault": {"kind": "refuse", "event": "FetchThreadList"}}, {"fault": {"kind": "loseAnswer", "event": "RecoverThread"}}]
    page.put("script-text", json.dumps({"name": "two", "steps": steps}))
    page.click("start-script")
    page.says("scripts", "RecoverThread: waiting")
    client.js("ask('FetchThreadList', {})")
    page.says("scripts", "FetchThreadList: done (frame ")
    page.says("scripts", "RecoverThread: due")
    page.says("faults", "loseAnswer")
    page.click("stop-script")
    page.find("no-scripts")
    page.find("no-faults")
    assert gateway.get("/v1/sandbox/scripts")["items"] == []


def test_a_clean_start(browser, gateway):
    page = inspect(browser, "sandbox")
    client = browser.page("/docs")
    assert client.js(SOCKET, gateway.get("/v1/info"))
    client.js("ask('AuthorizeCustomer', {})")
    gateway.post("/v1/sandbox/faults", {"kind": "refuse", "event": "SendMessage"})
    page.wait(lambda: "AuthorizeCustomer" in page.js(TYPES), "the frame is there")
    page.click("reset")
    page.click("reset-cancel")
    page.gone("reset-dialog")
    assert len(gateway.get("/v1/sandbox/faults")["items"]) == 1
    page.click("reset")
    page.click("reset-submit")
    page.says("reset-done", "Closed: 1 socket")
    page.find("no-faults")
    page.wait(lambda: page.js(TYPES) == [], "the frames are gone")
    assert client.js(SOCKET, gateway.get("/v1/info"))
    client.js("ask('AuthorizeCustomer', {})")
    page.wait(lambda: "AuthorizeCustomer" in page.js(TYPES), "the stream goes on")


@pytest.mark.both
def test_the_platform_is_chosen(browser, gateway):
    sendbird = gateway.get("/v1/info")["sendbirdSandbox"]

    def call(path):
        request = urllib.request.Request(sendbird["url"] + path, headers={"Api-Token": sendbird["apiToken"]})
        return urllib.request.urlopen(request, timeout=30).read()

    call("/v3/users")
    page = inspect(browser, "sandbox")
    page.find("no-faults")
    assert page.js("return all('frame-rows').length") == 1 and page.js(TYPES) == []
    choose(page, "platform", "sendbird")
    page.wait(lambda: any("/v3/users" in one for one in rows(page)), "the other platform's calls are there")
    assert "Sockets" not in page.js("return [...document.querySelectorAll('h2')].map((one) => one.textContent)")
    choose(page, "fault-kind", "dropWebhook")
    page.fill("fault-event", "group_channel:message_send")
    page.click("add-fault")
    page.says("faults", "dropWebhook")
    assert gateway.get("/v1/sandbox/faults")["items"] == []
    assert [one["kind"] for one in gateway.get("/v1/sandbox/faults?platform=sendbird")["items"]] == ["dropWebhook"]
    page.click("new-script")
    page.click("start-script")
    page.says("scripts", "badSignature")
    page.js("location.reload()")
    page.ready()
    page.says("faults", "dropWebhook")
    page.click("reset")
    page.says("reset-dialog", "bots")
    page.click("reset-submit")
    page.find("no-faults")
    page.find("no-scripts")
    call("/v3/group_channels")
    page.wait(lambda: any("/v3/group_channels" in one for one in rows(page)), "the stream goes on")


@pytest.mark.plain
def test_without_a_sandbox_there_is_no_view_of_it(browser, gateway):
    page = inspect(browser, "sandbox")
    page.find("log-rows")
    assert page.has("view-requests") and not page.has("view-sandbox")


# -- looks

def furnish(gateway):
    """Something in each view."""
    session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"id": "ada", "firstName": "Ada"}})["id"]
    thread = gateway.post(f"/v1/sessions/{session}/threads", {"name": "A lamp with a rather long name that must be cut somewhere"})["id"]
    path = f"/v1/sessions/{session}/threads/{thread}/messages"
    gateway.post(path, {"text": "Where is my order? " * 20})
    gone = gateway.post(path, {"text": "Forget this"})["id"]
    gateway.api("PUT", "/v1/requests/capture", {"minutes": 10})
    gateway.post(path, {"text": "Thank you"})
    gateway.post("/v1/webhooks", {"id": "crm", "url": "http://127.0.0.1:9/hook"})
    gateway.post("/v1/sandbox/faults", {"kind": "delayAnswer", "event": "SendMessage"})
    steps = [{"fault": {"kind": "dropSocket"}}, {"fault": {"kind": "refuse", "event": "SendMessage", "nth": 2}, "trigger": {"event": "RecoverThread"}}]
    gateway.post("/v1/sandbox/scripts", {"name": "drop, then refuse", "steps": steps})
    for path in (f"{path}/none", "/v1/nowhere"):
        try:
            gateway.get(path)
        except Exception:
            pass
    return f"/v1/sessions/{session}/threads/{thread}/messages/{gone}"


def state(browser, gateway, view, gone, **look):
    page = inspect(browser, view, **look)
    if view == "log":
        page.wait(lambda: len(rows(page)) > 3, "the log is there")
        if gone:
            gateway.api("DELETE", gone)
            page.find("redacted")
        unfold(page, "Thank you")
    elif view == "readers":
        page.find("targets")
        page.click("show-deliveries")
        page.find("delivery")
    elif view == "requests":
        unfold(page, "/messages")
        page.find("request-detail")
    elif view == "problems":
        page.find("problems")
    else:
        client = browser.page("/docs")
        assert client.js(SOCKET, gateway.get("/v1/info"))
        client.js("ask('AuthorizeCustomer', {})")
        unfold(page, "AuthorizeCustomer")
        page.find("sockets")
        page.find("faults")
        page.find("scripts")
        for part in ("fault-conditions", "new-script"):
            page.click(part)
    return page


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_view_is_accessible(browser, gateway, size):
    gone, axe, found = furnish(gateway), AXE_FILE_PATH.read_text(), []
    for view in VIEWS:
        page = state(browser, gateway, view, gone, size=size)
        found += [f"{view}: {one}" for one in complaints(page, size, axe)]
        page.look(size)
        wide = [one for one in page.overflowing() if not page.js("return document.documentElement.scrollWidth <= innerWidth")]
        found += [f"{view} is too wide: {one}" for one in wide]
        page.close()
        gone = None
    assert not found, "\n".join(found)


def test_the_views_by_keyboard(browser, gateway, talk):
    _, _, say = talk
    for number in range(3):
        say(f"{number}")
    page = inspect(browser, query="&types=message.created")
    page.wait(lambda: len(rows(page)) == 3, "the rows are there")
    page.js("all('row').at(-1).querySelector('button').focus()")
    page.press(Keys.ARROW_UP)
    page.press(Keys.ENTER)
    assert '"text": "1"' in page.text("row-json")
    page.press(Keys.ENTER)
    page.gone("row-json")


@SHOTS
@pytest.mark.parametrize("size,dark", LOOKS)
def test_pictures_of_the_views(browser, gateway, shots, size, dark):
    gone = furnish(gateway)
    for view in VIEWS:
        page = state(browser, gateway, view, gone, size=size, dark=dark)
        page.screenshot(shots / f"{size[0]}-{'dark' if dark else 'light'}-inspect-{view}.png")
        page.close()
        gone = None
