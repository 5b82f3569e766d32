"""A receiver of webhooks: verifies every request with two libraries, and answers as a test wants."""

import json
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import standardwebhooks
import svix.webhooks
from document import DOCUMENT

BODIES = {
    name: item["{$request.body#/url}"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    for name, item in DOCUMENT.raw["paths"]["/v1/webhooks"]["post"]["callbacks"].items()
}


class Request:
    def __init__(self, path, headers, body):
        self.path, self.headers, self.body = path, headers, body
        self.json = json.loads(body)
        self.id = headers["webhook-id"]
        self.type, self.data = self.json["type"], self.json["data"]

    def __repr__(self):
        return f"<{self.id} {self.type}>"

    def is_signed_with(self, secret):
        """By both libraries, which must agree."""
        verdicts = []
        for library in (standardwebhooks.Webhook(secret), svix.webhooks.Webhook(secret)):
            try:
                library.verify(self.body.decode(), self.headers)
                verdicts.append(True)
            except (standardwebhooks.webhooks.WebhookVerificationError, svix.webhooks.WebhookVerificationError):
                verdicts.append(False)
        assert verdicts[0] == verdicts[1], f"the libraries differ about {self}"
        return verdicts[0]


class Receiver:
    """`answer(request)` gives a status, or a status with headers and body. Each request is in `requests` before it is answered."""

    reads = Request

    def __init__(self, answer=lambda request: 204):
        self.answer = answer
        self.requests = []
        self.arrived = queue.Queue()
        self.secrets = []
        self.faults = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, more, text = receiver.take(receiver.reads(self.path, headers, body))
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook?key=in-the-url"

    def check(self, request):
        faults = DOCUMENT.errors(BODIES[request.type], request.json) if request.type in BODIES else ["a type of no body"]
        if faults:
            self.faults.append((request, faults))
        if self.secrets and not any(request.is_signed_with(secret) for secret in self.secrets):
            self.faults.append((request, "no secret verifies it"))

    def take(self, request):
        self.check(request)
        self.requests.append(request)
        answer = self.answer(request)
        self.arrived.put(request)
        return answer if isinstance(answer, tuple) else (answer, {}, b"")

    def next(self, deadline=15.0):
        """The next request; those before it were given already."""
        try:
            return self.arrived.get(timeout=deadline)
        except queue.Empty:
            raise AssertionError(f"no request within {deadline} s; so far {self.requests}; {self.faults}")

    def until(self, condition, deadline=15.0):
        """The first request that meets the condition; those before it are passed over."""
        end = time.monotonic() + deadline
        while True:
            request = self.next(max(0.01, end - time.monotonic()))
            if condition(request):
                return request

    def quiet(self, seconds=0.5):
        """What still comes within so many seconds."""
        found = []
        try:
            while True:
                found.append(self.arrived.get(timeout=seconds))
        except queue.Empty:
            return found

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        assert self.faults == []
