"""The gateway under measurement: started on any free port, on a folder of its own."""

import concurrent.futures
import contextlib
import json
import os
import socket
import time
import uuid

from .api import Api
from .processes import Failure, Process, tail, wait_until

# One customer writes as fast as the gateway takes it: that is what is measured, and not the limit of a session's token.
for limit in ("MESSAGES", "THREADS", "UPLOADS", "CHANGES"):
    os.environ[f"PARLEY_{limit}_PER_HOUR"] = "0"

# What a customer might say; its length is that of every message in these benchmarks.
TEXT = "The parcel has not come yet, although the page says that it was handed over on Tuesday. Can you look?"


class Customer:
    """A session with one thread."""

    def __init__(self, session, token, thread):
        self.session, self.token, self.thread = session, token, thread

    @property
    def messages(self):
        return f"/v1/sessions/{self.session}/threads/{self.thread}/messages"

    @property
    def events(self):
        return f"/v1/sessions/{self.session}/events"

    def send_line(self):
        """A line of the load client: one message with an id of its own."""
        return "\t".join(["POST", self.messages, self.token, json.dumps({"id": "{id}", "text": TEXT})])

    def send_line_without_id(self):
        """The same; the gateway makes the id."""
        return "\t".join(["POST", self.messages, self.token, json.dumps({"text": TEXT})])

    def page_line(self, query="limit=20"):
        return "\t".join(["GET", f"{self.messages}?{query}", self.token, ""])


class Gateway:
    def __init__(self, bench, folder, arguments=(), prefix=(), binary=None):
        """`arguments` are for `parley serve`; `prefix` is a command that runs it; `binary` is another build of it."""
        self.binary = binary or bench.gateway_binary
        self.bench, self.folder, self.arguments, self.prefix = bench, folder, list(arguments), list(prefix)
        self.process = None
        self.seconds_to_ready = None

    def __enter__(self):
        # A file of an earlier run would name a port that is gone.
        with contextlib.suppress(FileNotFoundError):
            os.remove(f"{self.folder}/address")
        arguments = self.prefix + [
            self.binary, "serve", "--listen", "127.0.0.1:0", "--data", self.folder, *self.arguments, *self.bench.gateway_arguments]
        start = time.monotonic()
        self.process = Process(arguments, self.bench.new_path("gateway.log"))
        try:
            self.port = wait_until(self._port, "the gateway's address", self.process, 60, step=0.001)
            wait_until(self._is_ready, "the gateway's /readyz", self.process, 60, step=0.001)
            self.seconds_to_ready = time.monotonic() - start
            with open(f"{self.folder}/token") as file:
                self.token = file.read().strip()
        except BaseException as error:
            self.process.stop()
            if isinstance(error, Failure):
                raise Failure(f"{error}; it said: {tail(self.process.log)}") from None
            raise
        return self

    def __exit__(self, kind, *_):
        self.process.stop()
        if not kind:
            # A line for each request: gigabytes, were those of all runs kept.
            os.remove(self.process.log)

    def _port(self):
        try:
            with open(f"{self.folder}/address") as file:
                text = file.read()
        except FileNotFoundError:
            return None
        # A file without its end of line or scheme may be half written.
        return int(text.strip().rsplit(":", 1)[1].strip("/")) if text.startswith("http://") and text.strip()[-1].isdigit() else None

    def _is_ready(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=5) as connection:
                connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n\r\n" % self.port)
                return connection.recv(64).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def rest(self):
        """Returns when nothing is left that it does by itself, such as following the log with the search index."""
        def is_idle():
            before = self.process.processor_seconds()
            time.sleep(1)
            return self.process.processor_seconds() - before < 0.03
        wait_until(is_idle, "the gateway's rest", self.process, 300)

    def api(self):
        return Api(self.port, self.token)

    def customer(self, api=None, thread=True):
        """A new customer on the multi-thread channel."""
        api = api or self.api()
        session = api.call("POST", "/v1/sessions", {"service": "local", "channel": "multi", "customer": {"id": str(uuid.uuid4())}})
        path = f"/v1/sessions/{session['id']}/threads"
        return Customer(session["id"], session["token"], api.call("POST", path, {})["id"] if thread else None)

    def customers(self, count, thread=True):
        """Many of them: made by some threads at once, whose commits the gateway joins."""
        def make(share):
            api = self.api()
            made = [self.customer(api, thread) for _ in range(share)]
            api.close()
            return made
        workers = min(16, count)
        shares = [count // workers + (i < count % workers) for i in range(workers)]
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            return [customer for part in pool.map(make, shares) for customer in part]

    def say(self, customer, count=1):
        """Sends messages one after the other; the last one's JSON as bytes."""
        api, content = self.api(), b""
        for _ in range(count):
            _, content = api.send("POST", customer.messages, {"id": str(uuid.uuid4()), "text": TEXT})
        api.close()
        return content
