"""What tells of messages that are not on any screen: the system's notifications, the title, the icon's number."""

import json

import pytest
from selenium.webdriver.common.keys import Keys

from gateway import until

# The system's notifications, as a page sees them: headless Chromium has no place to show any. `answer` is the user's to the
# question for permission, which lasts for the tab.
SYSTEM = """
window.notices = [];
window.badge = 0;
navigator.setAppBadge = async (count) => { window.badge = count };
// Chromium subscribes only with Google's servers, and a worker would show notifications where no test sees them.
if (navigator.serviceWorker) navigator.serviceWorker.register = async () => { throw new Error('none here') };
navigator.clearAppBadge = async () => { window.badge = 0 };
window.Notification = class {
  static get permission() { return sessionStorage.getItem('permission') ?? 'default' }
  static async requestPermission() {
    if (!navigator.userActivation.isActive) throw new Error('asked without a click');
    sessionStorage.setItem('permission', %s);
    return Notification.permission;
  }
  constructor(title, options) {
    Object.assign(this, { title, ...options });
    window.notices = window.notices.filter((one) => one.tag !== this.tag);
    window.notices.push(this);
  }
  close() {
    window.notices = window.notices.filter((one) => one !== this);
    this.onclose?.();
  }
};
"""
HIDE = "Object.defineProperty(document, 'visibilityState', {configurable: true, get: () => 'hidden'}); document.dispatchEvent(new Event('visibilitychange'))"
SHOW = "delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))"


class Desk:
    """A customer's session with two conversations, to which an agent writes."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana"}})["id"]
        self.threads = {}
        for name in ("Lamp", "Chair"):
            self.threads[name] = gateway.post(f"/v1/sessions/{self.session}/threads", {"name": name})["id"]
            gateway.post(f"/v1/sessions/{self.session}/threads/{self.threads[name]}/messages", {"text": f"About the {name}"})

    def write(self, name, text, **more):
        body = {"text": text, "agent": {"id": "mara", "name": "Mara Lind"}, **more}
        return self.gateway.post(f"/v1/desk/threads/{self.threads[name]}/messages", body)

    def open(self, browser, name, answer="granted", query=""):
        page = browser.page()
        page.remember({"parley.session.local.multi": self.session})
        page.cdp("Page.addScriptToEvaluateOnNewDocument", source=SYSTEM % json.dumps(answer))
        page.go(f"/?channel=multi&thread={self.threads[name]}{query}")
        page.ready()
        page.find("message")
        return page

    def viewing(self):
        return self.gateway.get(f"/v1/sessions/{self.session}/viewing")

    def shown(self, *names):
        """Waits until these conversations are on screens, and no others."""
        wanted = sorted(self.threads[name] for name in names)
        until(lambda: self.viewing()["threadIds"] == wanted, f"{names} are on screens")


@pytest.fixture
def desk(gateway):
    return Desk(gateway)


def notices(page):
    return page.js("return window.notices.map(({title, body, tag, silent}) => [title, body, tag, silent])")


def switch_on(page):
    page.click("notify")
    page.wait(lambda: page.has("notify", "[aria-checked=true]"), "it is switched on")


def test_a_message_elsewhere_is_notified_and_a_click_leads_to_it(browser, desk):
    for number in range(80):
        desk.write("Chair", f"line {number}")
    page = desk.open(browser, "Lamp")
    desk.shown("Lamp")
    switch_on(page)
    desk.write("Lamp", "It is on the screen.")
    page.shows("It is on the screen.")
    wanted = desk.write("Chair", "It left today.")
    page.wait(lambda: notices(page) == [["Mara Lind · Chair", "It left today.", wanted["id"], True]], "it is notified")
    for number in range(80):
        desk.write("Chair", f"more {number}")
    page.wait(lambda: len(notices(page)) == 81, "the others too")
    page.js("window.notices.find((one) => one.tag === arguments[0]).onclick(new Event('click'))", wanted["id"])
    page.wait(lambda: page.thread == desk.threads["Chair"], "the conversation is open")
    page.wait(lambda: 0.2 < (page.place_of(wanted["id"], "message", "transcript") or 9) < 0.8, "the message is in sight")
    assert page.js("return all('message', '.highlighted').map((one) => one.dataset.id)") == [wanted["id"]]
    assert not page.has("panel")
    desk.shown("Chair")
    page.reload()
    page.ready()
    page.wait(lambda: 0.2 < (page.place_of(wanted["id"], "message", "transcript") or 9) < 0.8, "the address leads there too")


def test_a_reply_for_its_thread_alone_opens_there(browser, desk):
    parent = desk.gateway.post(f"/v1/sessions/{desk.session}/threads/{desk.threads['Chair']}/messages", {"text": "Which chair?"})
    page = desk.open(browser, "Lamp")
    desk.shown("Lamp")
    switch_on(page)
    reply = desk.write("Chair", "The red one", parentId=parent["id"], alsoInThread=False)
    page.wait(lambda: [one[2] for one in notices(page)] == [reply["id"]], "it is notified")
    page.js("window.notices[0].onclick(new Event('click'))")
    page.shows_replies("The red one")
    page.says("panel-parent", "Which chair?")


def test_a_link_to_a_message_that_is_gone_says_so(browser, desk, console):
    console.expect("status of 404")
    page = desk.open(browser, "Lamp", query="&message=nothing&from=none")
    page.says("notes", "The message was removed")
    assert "message=" not in page.js("return location.search")


def test_a_hidden_page_notifies_of_its_own_conversation_too(browser, desk):
    page = desk.open(browser, "Lamp")
    desk.shown("Lamp")
    switch_on(page)
    page.js(HIDE)
    desk.shown()
    desk.write("Lamp", "Are you there?")
    page.wait(lambda: [one[1] for one in notices(page)] == ["Are you there?"], "it is notified")
    page.js(SHOW)
    desk.shown("Lamp")
    page.wait(lambda: notices(page) == [], "it is on show now, and nothing more is said of it")


def test_what_another_tab_shows_is_not_notified(browser, desk):
    lamp, chair = desk.open(browser, "Lamp"), desk.open(browser, "Chair")
    desk.shown("Lamp", "Chair")
    switch_on(lamp)
    desk.write("Chair", "On the other tab.")
    chair.shows("On the other tab.")
    chair.close()
    desk.shown("Lamp")
    desk.write("Chair", "On no tab.")
    lamp.wait(lambda: [one[1] for one in notices(lamp)] == ["On no tab."], "only that is notified")


def test_what_is_on_show_is_said_again_after_a_restart(browser, desk, gateway, console):
    console.expect_outage()
    page = desk.open(browser, "Lamp")
    desk.shown("Lamp")
    before = desk.viewing()["knownSince"]
    gateway.restart()
    assert desk.viewing()["knownSince"] > before
    desk.shown("Lamp")
    page.gone("banner")


def test_without_permission_the_switch_stays_off(browser, desk):
    page = desk.open(browser, "Lamp", answer="denied")
    desk.shown("Lamp")
    page.click("notify")
    page.says("notes", "does not allow notifications")
    assert page.has("notify", "[aria-checked=false]")
    desk.write("Chair", "Unheard")
    page.wait(lambda: page.js("return document.title") == "(1) Parley", "it has come")
    assert notices(page) == []


def test_the_switch_by_the_keyboard_and_for_all_visits(browser, desk):
    page = desk.open(browser, "Lamp")
    page.tab_to("notify")
    page.press(Keys.SPACE)
    page.wait(lambda: page.has("notify", "[role=switch][aria-checked=true]"), "it is switched on")
    page.reload()
    page.ready()
    assert page.has("notify", "[aria-checked=true]")
    page.tab_to("notify")
    page.press(Keys.ENTER)
    page.wait(lambda: page.has("notify", "[aria-checked=false]"), "it is switched off")
    desk.shown("Lamp")
    desk.write("Chair", "Unheard")
    page.wait(lambda: page.js("return document.title") == "(1) Parley", "it has come")
    assert notices(page) == []


def test_the_title_and_the_icon_say_how_much_is_unread(browser, desk):
    for number in range(3):
        desk.write("Chair", f"line {number}")
    page = desk.open(browser, "Lamp")
    both = "return [document.title, window.badge]"
    page.wait(lambda: page.js(both) == ["(3) Parley", 3], "what was unread before")
    desk.write("Chair", "another line")
    page.wait(lambda: page.js(both) == ["(4) Parley", 4], "what comes")
    desk.gateway.post(f"/v1/sessions/{desk.session}/threads/{desk.threads['Chair']}/read")
    page.wait(lambda: page.js(both) == ["Parley", 0], "what was read elsewhere")


def test_the_desk_tells_of_customers_elsewhere(gateway, browser, desk, shots):
    page = browser.page()
    page.cdp("Page.addScriptToEvaluateOnNewDocument", source=SYSTEM % json.dumps("granted"))
    page.go(f"/desk?thread={desk.threads['Lamp']}")
    page.ready()
    page.find("message")
    switch_on(page)

    def say(name, text):
        return gateway.post(f"/v1/sessions/{desk.session}/threads/{desk.threads[name]}/messages", {"text": text})
    desk.write("Chair", "We are looking for it.")
    say("Lamp", "Hello?")
    message = say("Chair", "Is it there yet?")
    page.wait(lambda: notices(page), "a notification is on show")
    assert notices(page) == [["Jana", "Is it there yet?", message["id"], True]]
    page.screenshot(shots / "desk-notify.png")
    page.js("window.notices[0].onclick(new Event('click'))")
    page.wait(lambda: page.thread == desk.threads["Chair"], "the click opens the conversation")
    page.find("message", f'[data-id="{message["id"]}"]')
    page.wait(lambda: notices(page) == [], "it is no longer on show")
    page.js(HIDE)
    say("Chair", "Please answer.")
    page.wait(lambda: len(notices(page)) == 1, "a page that nobody sees tells of its own conversation, too")


def test_a_page_tells_the_worker_whose_conversation_it_shows(gateway, browser, desk):
    ask = """
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise((resolve) => (port1.onmessage = ({ data }) => resolve(data)));
    navigator.serviceWorker.dispatchEvent(new MessageEvent('message', { data: { ask: 'thread' }, ports: [port2] }));
    return answer;
    """
    place = {"threadId": desk.threads["Lamp"], "channelId": "multi"}
    assert desk.open(browser, "Lamp").js(ask) == place
    page = browser.desk()
    assert page.js(ask) is None
    page.click("desk-thread", f'[data-id="{desk.threads["Lamp"]}"]')
    page.shows("About the Lamp")
    customer = gateway.get(f"/v1/sessions/{desk.session}")["customer"]["id"]
    assert page.js(ask) == {**place, "customerId": customer}
