"""The service worker of the pages, in real browsers, with pushes of a sender that is not Parley."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid
from pywebpush import webpush

from firefox import Firefox
from gateway import until
from page import Browser
from push_service import PushService

WORKER = Path(__file__).parents[2] / "web" / "push-worker.js"
SUBSCRIBE = """(async () => {
  await Notification.requestPermission();
  const registration = await navigator.serviceWorker.register('/push-worker.js');
  await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: '%s'});
  return subscription.toJSON();
})()"""
SHOWN = """(async () => {
  const registration = await navigator.serviceWorker.ready;
  return (await registration.getNotifications()).map(({title, body, tag, data}) => [title, body, tag, data.threadId]);
})()"""


class Site:
    """A page without any words, and the worker beside it."""

    def __init__(self):
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                isWorker = self.path == "/push-worker.js"
                body = WORKER.read_bytes() if isWorker else b"<!DOCTYPE html><title>Plain</title><link rel=icon href=data:,>"
                self.send_response(200)
                self.send_header("Content-Type", "text/javascript" if isWorker else "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture(scope="module")
def site():
    site = Site()
    yield site
    site.stop()


@pytest.fixture
def service():
    service = PushService()
    yield service
    service.stop()


@pytest.fixture
def firefox(service):
    firefox = Firefox(service.url)
    yield firefox
    firefox.quit()


class Sender:
    def __init__(self):
        self.vapid = Vapid()
        self.vapid.generate_keys()
        point = self.vapid.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.key = base64.urlsafe_b64encode(point).rstrip(b"=").decode()

    def push(self, subscription, text, more=0):
        data = text if isinstance(text, str) else json.dumps(text)
        claims = {"sub": "mailto:tests@example.com"}
        return webpush(subscription, data.ljust(more), vapid_private_key=self.vapid, vapid_claims=claims, ttl=60, timeout=30)


def notification(site, words, thread="t1"):
    link = f"{site.address}/?channel=c&thread={thread}&message=m1"
    return {"web_push": 8030, "notification": {
        "title": "Marta", "body": words, "navigate": link, "tag": thread, "data": {"threadId": thread}}}


def test_firefox_shows_pushes_and_a_click_opens_the_message(site, service, firefox):
    sender = Sender()
    page = firefox.page(site.address + "/")
    subscription = page.js(SUBSCRIBE % sender.key)
    assert len(subscription["keys"]["p256dh"]) == 87 and len(subscription["keys"]["auth"]) == 22
    page.close()
    sender.push(subscription, notification(site, "It left today."))
    service.taken(1)
    firefox.click_notification()
    until(lambda: any("message=m1" in url for _, url in firefox.tabs()), "the click has opened the message")


def test_a_click_in_firefox_leads_the_page_that_is_open(site, service, firefox):
    sender = Sender()
    page = firefox.page(site.address + "/")
    subscription = page.js(SUBSCRIBE % sender.key)
    page.js("navigator.serviceWorker.onmessage = ({data}) => data.link && (window.link = data.link)")
    sender.push(subscription, notification(site, "It left today."))
    service.taken(1)
    firefox.click_notification()
    page.wait("window.link === location.origin + '/?channel=c&thread=t1&message=m1'", "it is told where to")
    assert len(firefox.tabs()) == 2, "the first, which is empty, and the page"


def test_firefox_shows_one_notification_for_each_conversation(site, service, firefox):
    sender = Sender()
    page = firefox.page(site.address + "/")
    subscription = page.js(SUBSCRIBE % sender.key)
    sender.push(subscription, notification(site, "one"))
    sender.push(subscription, notification(site, "two", thread="t2"))
    sender.push(subscription, notification(site, "three"), more=3993)
    service.taken(3)
    expected = [["Marta", "three", "t1", "t1"], ["Marta", "two", "t2", "t2"]]
    page.wait(f"(async () => JSON.stringify((await {SHOWN}).sort()) === {json.dumps(json.dumps(expected, separators=(',', ':')))})()", "both")


def test_firefox_shows_nothing_of_the_conversation_in_a_visible_window(site, service, firefox):
    sender = Sender()
    page = firefox.page(site.address + "/")
    subscription = page.js(SUBSCRIBE % sender.key)
    page.js("navigator.serviceWorker.onmessage = ({data, ports: [port]}) => data.ask === 'thread' && port.postMessage({threadId: 't1'})")
    sender.push(subscription, notification(site, "It is on the screen."))
    sender.push(subscription, notification(site, "It is elsewhere.", thread="t2"))
    service.taken(2)
    page.wait(f"(async () => (await {SHOWN}).length > 0)()", "one is shown")
    assert page.js(SHOWN) == [["Marta", "It is elsewhere.", "t2", "t2"]]


def test_what_a_browser_no_longer_takes_is_gone(site, service, firefox):
    page = firefox.page(site.address + "/")
    subscription = page.js(SUBSCRIBE % Sender().key)
    page.js("navigator.serviceWorker.ready.then((one) => one.pushManager.getSubscription()).then((one) => one.unsubscribe())")
    channel = subscription["endpoint"].rsplit("/", 1)[1]
    until(lambda: channel not in service.channels, "the browser has told its push service")


@pytest.fixture
def chromium(site):
    browser = Browser()
    browser.gateway = site  # as far as a page's address goes
    yield browser
    browser.quit()


class ServiceWorkers:
    """Chromium's worker by its debugging protocol: it cannot subscribe without Google's servers."""

    def __init__(self, page, site):
        self.page, self.site = page, site
        page.cdp("Browser.grantPermissions", permissions=["notifications"], origin=site.address)
        page.cdp("ServiceWorker.enable")
        # A push to a worker that is being activated is lost.
        page.js("""return navigator.serviceWorker.register('/push-worker.js').then(() => navigator.serviceWorker.ready).then(({active}) =>
          new Promise((resolve) => {
            const look = () => active.state === 'activated' && resolve(true);
            active.addEventListener('statechange', look);
            look();
          }))""")

    def push(self, registration, message):
        self.page.cdp("ServiceWorker.deliverPushMessage", origin=self.site.address, registrationId=registration, data=json.dumps(message))

    def shown(self):
        return self.page.js(f"return {SHOWN}")


def test_chromium_shows_pushes(site, chromium):
    page = chromium.page("/")
    workers = ServiceWorkers(page, site)
    # Registrations of a fresh profile are numbered from 0 on, and chromedriver does not pass on the event that tells the number.
    workers.push("0", notification(site, "It left today."))
    until(lambda: workers.shown() == [["Marta", "It left today.", "t1", "t1"]], "it is shown")
    page.js("navigator.serviceWorker.onmessage = ({data, ports: [port]}) => data.ask === 'thread' && port.postMessage({threadId: 't2'})")
    workers.push("0", notification(site, "It is on the screen.", thread="t2"))
    workers.push("0", notification(site, "And another"))
    until(lambda: [one[1] for one in workers.shown()] == ["And another"], "the one takes the other's place")
