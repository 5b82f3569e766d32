"""A second program on another port of 127.0.0.1: browsers send it the gateway's cookie, and it gets no right by that."""

import http.client
import http.server
import threading

import pytest

from firefox import Firefox
from push_service import PushService

PAGE = b"""<!DOCTYPE html><title>another program</title><script>
window.tried = (async () => {
  const said = [];
  for (const options of [{}, {method: 'POST'}, {headers: {'Parley-Page': 'guessed'}}]) {
    said.push(await fetch(GATEWAY + '/v1/sessions', {credentials: 'include', ...options}).then(() => 'read', () => 'blocked'));
  }
  const form = document.createElement('form');
  Object.assign(form, {method: 'post', action: GATEWAY + '/auth/logout', target: 'sink'});
  const frame = document.createElement('iframe');
  frame.name = 'sink';
  document.body.append(frame, form);
  form.submit();
  return said.concat(localStorage.getItem('parley.page') ?? 'no half');
})();
</script>"""


class Program:
    """A web server that keeps the cookies which browsers send it."""

    def __init__(self, gateway):
        cookies = self.cookies = []
        page = PAGE.replace(b"GATEWAY", f"'{gateway.address}'".encode())

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.headers["Cookie"]:
                    cookies.append(self.headers["Cookie"])
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def program(gateway):
    program = Program(gateway)
    yield program
    program.close()


def stolen(gateway, program):
    """What the program gets by the cookies that it has seen."""
    assert any("parley_p_" in cookie for cookie in program.cookies), "browsers share cookies between ports"
    answers = []
    for cookie in set(program.cookies):
        for headers in ({}, {"Parley-Page": "guessed"}, {"Parley-Page": ""}):
            connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=30)
            connection.request("GET", "/v1/sessions", headers={"Cookie": cookie, **headers})
            answers.append(connection.getresponse().status)
            connection.close()
    return set(answers)


def test_it_gets_nothing_from_chromium(browser, gateway, program, console):
    console.expect("CORS|ERR_FAILED|status of 40[013]|Failed to load|frame|X-Frame|Content Security Policy|cross-origin")
    chat = browser.page("/")
    chat.find("channel-picker")
    other = browser.page(program.address, agent=None)
    assert other.js("return window.tried") == ["blocked", "blocked", "blocked", "no half"]
    assert stolen(gateway, program) == {401}
    chat.go("/")
    chat.find("channel-picker")
    assert gateway.get("/v1/sessions")["items"] == [] and len(gateway.get("/v1/logins")["items"]) == 1


def test_it_gets_nothing_from_firefox(gateway, program):
    service = PushService()
    firefox = Firefox(service.url)
    try:
        chat = firefox.sign_in(gateway)
        other = firefox.page(program.address)
        assert other.js("window.tried") == ["blocked", "blocked", "blocked", "no half"]
        assert stolen(gateway, program) == {401}
        chat.go(gateway.address)
        chat.wait("document.querySelector('[data-test=channel-picker]') !== null", "it is signed in still")
        assert gateway.get("/v1/sessions")["items"] == [] and len(gateway.get("/v1/logins")["items"]) == 1
    finally:
        firefox.quit()
        service.stop()
