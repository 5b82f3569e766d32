"""The whole way: the page in Firefox registers at Parley, Parley pushes, Firefox decrypts, shows, and a click opens the message."""

import base64
import json

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from firefox import Firefox
from gateway import Refused, until
from push_service import PushService

# Nothing is pushed for the first 30 s after a start of the gateway.
LONG = 90
# No page of this browser registers or ends a device now.
IDLE = "navigator.locks.query().then(({held, pending}) => ![...held, ...pending].some(({name}) => name === 'parley.push'))"


@pytest.fixture(scope="module")
def service():
    """One for all gateways: so the next one starts early, and its 30 s pass while the test before runs."""
    service = PushService()
    yield service
    service.stop()


@pytest.fixture
def pushing(service, spares):
    gateway = spares.take("--push-allow-host", service.host, "--push-contact", "mailto:tests@example.com")
    yield gateway
    gateway.stop()


@pytest.fixture
def firefox(service):
    service.forget()
    firefox = Firefox(service.url)
    yield firefox
    firefox.quit()


class Talk:
    """A customer with two conversations, whose session the page in Firefox takes up."""

    def __init__(self, gateway, firefox):
        self.gateway = gateway
        self.firefox = firefox
        self.session = gateway.post("/v1/sessions", {"channel": "multi", "customer": {"firstName": "Jana"}})["id"]
        self.threads = {}
        for name in ("Lamp", "Chair"):
            self.threads[name] = gateway.post(f"/v1/sessions/{self.session}/threads", {"name": name})["id"]
            gateway.post(f"/v1/sessions/{self.session}/threads/{self.threads[name]}/messages", {"text": f"About the {name}"})

    def write(self, name, text):
        body = {"text": text, "agent": {"id": "mara", "name": "Mara Lind"}}
        return self.gateway.post(f"/v1/desk/threads/{self.threads[name]}/messages", body)

    def say(self, name, text):
        return self.gateway.post(f"/v1/sessions/{self.session}/threads/{self.threads[name]}/messages", {"text": text})

    def open(self, name):
        page = self.firefox.sign_in(self.gateway)
        page.js(f"localStorage.setItem('parley.session.local.multi', {json.dumps(self.session)})")
        page.go(f"{self.gateway.address}/?channel=multi&thread={self.threads[name]}")
        page.wait("document.querySelectorAll('[data-test=message]').length > 0", "the conversation is open")
        return page

    def device(self):
        return f"/v1/sessions/{self.session}/device"

    def deliveries(self):
        return self.gateway.get(f"{self.device()}/deliveries")["items"]


def switch_on(page):
    page.js("document.querySelector('[data-test=notify]').click()")
    page.wait("document.querySelector('[data-test=notify]').getAttribute('aria-checked') === 'true'", "it is switched on")


def test_a_message_reaches_a_browser_without_a_page(service, pushing, firefox, shots):
    talk = Talk(pushing, firefox)
    page = talk.open("Lamp")
    switch_on(page)
    until(lambda: service.keys, "the browser has subscribed")
    until(lambda: registered(talk), "the session has its device")
    assert pushing.post(f"{talk.device()}/test")["state"] == "delivered"
    service.taken(1)
    firefox.click_notification()
    page.close()
    message = talk.write("Chair", "It left today.")
    service.taken(2, LONG)
    firefox.click_notification()

    def opened():
        return next((context for context, url in firefox.tabs() if talk.threads["Chair"] in url), None)
    until(opened, "the click has opened the conversation")
    page = firefox.attach(until(opened, "its tab"))
    page.wait(f"document.querySelector('[data-test=message][data-id=\"{message['id']}\"]') !== null", "the message is there")
    assert [one["state"] for one in talk.deliveries()] == ["delivered"]


def test_an_agent_without_a_page_is_told_and_led_to_the_message(service, pushing, firefox):
    talk = Talk(pushing, firefox)
    firefox.sign_in(pushing).close()
    answer_as_mara(pushing, firefox)
    page = firefox.page(f"{pushing.address}/desk?thread={talk.threads['Lamp']}")
    page.wait("document.querySelectorAll('[data-test=message]').length > 0", "the conversation is open")
    switch_on(page)
    until(lambda: pushing.get("/v1/desk/devices")["items"], "the desk has the device")
    (device,) = pushing.get("/v1/desk/devices")["items"]
    path = f"/v1/desk/devices/{device['id']}"
    assert pushing.post(f"{path}/test")["state"] == "delivered"
    service.taken(1)
    firefox.click_notification()
    other = pushing.post("/v1/desk/devices", {"kind": "webPush", "subscription": unknown_browser(service)})
    message = talk.say("Chair", "Where is it?")
    # By then each device had its turn. The page is open, and tells by itself: its stream names its device.
    until(lambda: pushing.get(f"/v1/desk/devices/{other['id']}")["state"] == "gone", "the other device is refused", LONG)
    assert [one["state"] for one in pushing.get(f"{path}/deliveries")["items"]] == ["pending"]
    page.close()
    service.taken(2, LONG)
    firefox.click_notification()

    def opened():
        return next((context for context, url in firefox.tabs() if talk.threads["Chair"] in url), None)
    page = firefox.attach(until(opened, "the click has opened the conversation"))
    page.wait(f"document.querySelector('[data-test=message][data-id=\"{message['id']}\"]') !== null", "the message is there")
    page.wait("!location.search.includes('customer=')", "the address is the page's own")
    assert pushing.get(f"{path}/deliveries")["items"][0]["state"] == "delivered"
    page.js("document.querySelector('[data-test=notify]').click()")
    until(lambda: device["id"] not in [one["id"] for one in pushing.get("/v1/desk/devices")["items"]], "it ends with the switch")


def test_the_switch_of_one_tab_of_the_desk_reaches_the_others(service, pushing, firefox):
    talk = Talk(pushing, firefox)
    firefox.sign_in(pushing).close()
    answer_as_mara(pushing, firefox)
    first, second = (firefox.page(f"{pushing.address}/desk") for _ in range(2))
    for page in (first, second):
        page.wait("document.body.dataset.ready === 'true'", "the page has started")
    switch_on(first)
    second.wait("document.querySelector('[data-test=notify]').getAttribute('aria-checked') === 'true'", "it is on here too")
    until(lambda: pushing.get("/v1/desk/devices")["items"], "the desk has the device")
    (device,) = pushing.get("/v1/desk/devices")["items"]
    second.wait(IDLE, "the second tab has registered too")
    first.close()
    other = pushing.post("/v1/desk/devices", {"kind": "webPush", "subscription": unknown_browser(service)})
    talk.say("Chair", "Where is it?")
    until(lambda: pushing.get(f"/v1/desk/devices/{other['id']}")["state"] == "gone", "each device had its turn", LONG)
    deliveries = pushing.get(f"/v1/desk/devices/{device['id']}/deliveries")["items"]
    assert [one["state"] for one in deliveries] == ["pending"], "the tab that is left speaks for the device"


def answer_as_mara(pushing, firefox):
    """At the desk, which asks for a name first."""
    page = firefox.page(f"{pushing.address}/desk")
    page.wait("document.querySelector('[data-test=agent-name]') !== null", "a name is asked for")
    page.js("""localStorage.setItem('parley.agent', '{"id":"mara","name":"Mara Lind"}')""")
    page.close()


def unknown_browser(service):
    """A subscription of which the push service knows nothing."""
    point = ec.generate_private_key(ec.SECP256R1()).public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    text = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    return {"endpoint": f"http://{service.host}/push/unknown", "keys": {"p256dh": text(point), "auth": text(bytes(16))}}


def registered(talk):
    try:
        return talk.gateway.get(talk.device())["state"] == "active"
    except Refused:
        return False
