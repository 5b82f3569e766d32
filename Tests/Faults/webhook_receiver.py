"""A receiver of webhooks that fails on demand, and notes every request: what came, when, and what was answered."""

import contextlib
import json
import socket
import struct
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import standardwebhooks

#: Answers that are none: the connection is closed at once, after half an answer, with a reset.
CUT, TORN, RESET = "cut", "torn", "reset"


class Answer:
    """What a request gets: after `delay` seconds a status with headers, or one of the cuts."""

    def __init__(self, status=204, delay=0.0, headers=None):
        self.status, self.delay, self.headers = status, delay, headers or {}


class Receipt:
    """One request that came as a whole.

    Times are of the monotonic clock; `connected` is when its connection was accepted.
    """

    def __init__(self, headers, body, connected):
        self.headers, self.body = headers, body
        self.id = headers["webhook-id"]
        self.connected, self.began, self.ended = connected, time.monotonic(), None
        #: What was answered: a status, or a cut. None while nothing was.
        self.status = None
        #: The connection was closed under it, or the answer could not be written.
        self.is_broken = False
        self.is_genuine = False
        content = json.loads(body)
        self.type, self.data, self.timestamp = content["type"], content["data"], content["timestamp"]

    @property
    def offset(self):
        return int(self.id.rpartition("-")[2])

    @property
    def thread(self):
        return self.data.get("threadId") or self.data.get("thread", {}).get("id")

    @property
    def is_success(self):
        return not self.is_broken and isinstance(self.status, int) and 200 <= self.status < 300

    def took(self):
        """Seconds until the answer was written; infinite if it was not."""
        return self.ended - self.began if self.ended else float("inf")

    def __repr__(self):
        return f"<{self.id} {self.type} -> {'broken ' if self.is_broken else ''}{self.status}>"


class Receiver:
    """`behave(receipt)` says what a request gets. It is called by the threads of the connections."""

    def __init__(self, behave=lambda receipt: Answer()):
        self.behave = behave
        self.lock = threading.Lock()
        #: In the order in which they came.
        self.receipts = []
        self.secret = None
        self.faults = []
        self._links = set()
        self._server = None
        # Holds the port while nobody listens: connections are refused then, and nobody else gets it.
        self._place = self._socket(0)
        self.port = self._place.getsockname()[1]
        self.up()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    @staticmethod
    def _socket(port):
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        made.bind(("127.0.0.1", port))
        return made

    # -- life

    @property
    def is_up(self):
        return self._server is not None

    def up(self):
        server = _Server(self)
        server.socket = self._socket(self.port)
        server.socket.listen(128)
        self._server = server
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def down(self):
        """Connections are closed, whatever is under way on them, and new ones are refused."""
        server, self._server = self._server, None
        server.shutdown()
        server.server_close()
        with self.lock:
            for receipt in self.receipts:
                if receipt.ended is None:
                    receipt.is_broken = True
            links = list(self._links)
        for link in links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)

    def settle(self):
        """Returns when all connections that were made before are accepted."""
        if self.is_up:
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as link:
                link.sendall(b"GET / HTTP/1.0\r\n\r\n")
                assert link.recv(1 << 10), "the receiver accepts nothing"

    def close(self):
        if self.is_up:
            self.down()
        self._place.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        assert not self.faults, self.faults[:3]

    # -- what came

    def note(self, receipt):
        try:
            standardwebhooks.Webhook(self.secret).verify(receipt.body.decode(), receipt.headers)
            receipt.is_genuine = True
        except standardwebhooks.WebhookVerificationError as fault:
            self.faults.append((receipt, fault))
        with self.lock:
            self.receipts.append(receipt)

    def got(self, condition=lambda receipt: True):
        with self.lock:
            return [receipt for receipt in self.receipts if condition(receipt)]

    def add(self, link):
        with self.lock:
            self._links.add(link)

    def remove(self, link):
        with self.lock:
            self._links.discard(link)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, receiver):
        self.receiver = receiver
        super().__init__(("127.0.0.1", 0), _Handler, bind_and_activate=False)
        self.socket.close()

    def get_request(self):
        """The address is given to the handler; with it goes when the connection was accepted."""
        link, address = super().get_request()
        return link, (*address, time.monotonic())

    def handle_error(self, *_):
        """A connection that broke: the gateway was killed, or this side has gone down."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def setup(self):
        self.connected = self.client_address[2]
        super().setup()
        self.server.receiver.add(self.connection)

    def finish(self):
        self.server.receiver.remove(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def do_GET(self):
        self.answer(Answer())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if len(body) < int(self.headers["Content-Length"]):
            self.close_connection = True
            return
        receiver = self.server.receiver
        receipt = Receipt({name.lower(): value for name, value in self.headers.items()}, body, self.connected)
        receiver.note(receipt)
        answer = receiver.behave(receipt)
        if answer.delay:
            time.sleep(answer.delay)
        # Before it is written: nobody can have read it earlier.
        with receiver.lock:
            receipt.status, receipt.ended = answer.status, time.monotonic()
            # What was broken off stays so, even if its connection were still open.
            if receipt.is_broken:
                self.close_connection = True
                return
        try:
            self.answer(answer)
        except OSError:
            receipt.is_broken, self.close_connection = True, True

    def answer(self, answer):
        if answer.status in (CUT, TORN, RESET):
            self.close_connection = True
            if answer.status == TORN:
                self.wfile.write(b"HTTP/1.1 204 No Co")
                self.wfile.flush()
            if answer.status == RESET:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()
        self.wfile.flush()

    def log_message(self, *_):
        pass


class Hook:
    """A webhook of the gateway at a receiver, as its owner sees it."""

    def __init__(self, gateway, receiver, **body):
        self.gateway, self.receiver = gateway, receiver
        made = gateway.post("/v1/webhooks", {"url": receiver.url, **body})
        assert made.status == 201, made
        self.id, self.path = made["id"], f"/v1/webhooks/{made['id']}"
        receiver.secret = made["secret"]

    @property
    def json(self):
        answer = self.gateway.get(self.path)
        assert answer.status == 200, answer
        return answer.json

    def post(self, action):
        answer = self.gateway.post(f"{self.path}/{action}")
        assert answer.status == 200, answer
        return answer
