"""A page of our own that speaks the platform's protocol, from another origin: it talks, meets a script of faults, and recovers."""

import functools
import signal
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlencode

import pytest

from gateway import Gateway

APP = Path(__file__).parent / "sandbox_app"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def app():
    """Where the page is."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=APP))
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture
def gateway(tmp_path, app):
    gateway = Gateway(tmp_path, "--cxone-sandbox", "--allow-host", app.split("/")[2])
    gateway.start()
    yield gateway
    gateway.stop(signal.SIGKILL)


def test_an_app_recovers_from_a_script_of_faults(browser, console, gateway, app):
    console.expect("WebSocket connection|favicon")
    sandbox = gateway.get("/v1/info")["sandbox"]
    channel = next(each["id"] for each in sandbox["channels"]
                   if (each["channel"], each["authorization"]) == ("multi", "anonymous"))
    page = browser.page()
    where = {"socket": sandbox["socket"], "brand": sandbox["brandId"], "channel": channel, "customer": "ada"}
    browser.driver.get(f"{app}?{urlencode(where)}")
    texts = "return [...document.querySelectorAll('li')].map((one) => one.textContent)"
    page.wait(lambda: page.js("return document.querySelector('#state').textContent") == "ready", "the app is ready")
    page.js("say('Hello')")
    page.wait(lambda: page.js(texts) == ["Hello"], "its message is there")
    [thread] = gateway.get("/v1/desk/threads")["items"]
    script = gateway.post("/v1/sandbox/scripts", {"steps": [
        {"fault": {"kind": "loseAnswer", "event": "SendMessage", "customer": "ada"}},
        {"fault": {"kind": "dropSocket", "event": "SendMessage", "nth": 1}},
        {"fault": {"kind": "refuse", "event": "openSandboxSocket"}},
        {"fault": {"kind": "duplicatePush", "event": "MessageCreated"}}]})
    page.js("say('Where is my order?')")
    page.js("say('Are you there?')")
    wanted = ["Hello", "Where is my order?", "Are you there?"]
    page.wait(lambda: page.js(texts) == wanted, "each message is there once")
    gateway.post(f"/v1/desk/threads/{thread['id']}/messages", {"text": "It left today.", "agent": {"id": "a", "name": "Bo"}})
    page.wait(lambda: page.js(texts) == [*wanted, "It left today."], "the answer came once")
    at_desk = gateway.get(f"/v1/desk/threads/{thread['id']}/messages")["items"]
    assert [each["text"] for each in at_desk[::-1]] == [*wanted, "It left today."]
    done = gateway.get(f"/v1/sandbox/scripts/{script['id']}")
    assert done["isDone"] and all(len(step["happened"]) == 1 for step in done["steps"]), done
    ends = [each for each in gateway.get("/v1/sandbox/frames")["items"] if each["kind"] == "closed"]
    assert [each["reason"] for each in ends] == ["dropped"]
