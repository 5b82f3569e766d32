"""A running gateway of the tests' own: started on a free port, asked over HTTP, ended by its process id."""

import http.client
import json
import os
import pathlib
import queue
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

from database import Database
from document import DOCUMENT

DEADLINE = 60.0
SEEN_CODES: set[str] = set()
SEEN_AT: set[tuple[str, str]] = set()  # (operation, code)
_GATEWAY_TOKEN = object()


def binary() -> str:
    path = os.environ.get("PARLEY_BIN")
    assert path, "PARLEY_BIN must name the gateway's binary"
    return os.path.abspath(path)


def swift_environment(**more):
    """The environment for a call of `swift`, without the variables of the tests. Their values differ from run to run, and
    `swift` compiles the manifests of all packages again whenever a variable has another value."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PARLEY_", "SWT_"))} | more


def until(what, condition, deadline=DEADLINE):
    """The first true value of `condition`, asked again and again; fails after `deadline` seconds."""
    begin = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - begin
        assert waited < deadline, f"in vain waited {deadline} s for {what}"
        time.sleep(min(max(0.01, waited / 8), 0.1))


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def __repr__(self):
        return f"<{self.status} {self.body[:400]!r}>"

    def __getitem__(self, name):
        return self.json[name]

    def header(self, name):
        return self.headers.get(name)

    @property
    def kind(self):
        return (self.header("Content-Type") or "").partition(";")[0].strip()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def text(self):
        return self.body.decode()

    @property
    def code(self):
        return self.json.get("code") if self.body and self.kind == "application/problem+json" else None

    def link(self, rel):
        """The target of the Link header's `rel`, or None."""
        for part in (self.header("Link") or "").split(","):
            target, _, parameters = part.strip().partition(";")
            if f'rel="{rel}"' in parameters:
                return target.strip().removeprefix("<").removesuffix(">")
        return None


class Gateway:
    def __init__(self, folder=None, options=(), program=None):
        """`program` is another binary than that of the environment, which may have no sandbox."""
        self.options, self.program = options, program
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="parley-contract-")
        self.folder = pathlib.Path(folder or self._own.name) / "data"
        self.database = Database()
        self.process = None
        self.errors = None

    # -- life

    def start(self, port=0):
        """On a port of the system's choice; or on one that it has had before."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.folder / "address").unlink(missing_ok=True)
        self.errors = open(self.folder.parent / "stderr.log", "ab")
        self.process = subprocess.Popen(
            [*([self.program] if self.program else [binary(), "--cxone-sandbox", "--mcp", "write"]), "--listen", f"127.0.0.1:{port}",
             "--data", str(self.folder), *self.database.arguments, *self.options],
            stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors, start_new_session=True)
        until("the gateway to be ready", self._is_ready)
        self.token = (self.folder / "token").read_text().strip()
        return self

    def _is_ready(self):
        assert self.process.poll() is None, f"the gateway ended with {self.process.returncode}:\n{self.log()}"
        try:
            lines = (self.folder / "address").read_text().splitlines()
            if not lines:
                return False
            parts = urllib.parse.urlsplit(lines[0].strip())
            self.host, self.port = parts.hostname, parts.port
            return self.call("GET", "/readyz", token=None, check=False).status == 200
        except (FileNotFoundError, ConnectionError):
            return False

    def stop(self):
        """Asks it to end (SIGTERM) and returns its exit code."""
        return self._end(signal.SIGTERM)

    def kill(self):
        return self._end(signal.SIGKILL)

    def _end(self, sign):
        if self.process is None:
            return None
        if self.process.poll() is None:
            os.kill(self.process.pid, sign)
        try:
            return self.process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise AssertionError(f"the gateway did not end within {DEADLINE} s:\n{self.log()}")
        finally:
            self.process = None
            self.errors.close()

    def restart(self):
        self.stop()
        return self.start()

    def log(self):
        """The end of what it has said. A thread of its own writes the log: a line may come after the answer that it is about."""
        return self.whole_log()[-4000:]

    def whole_log(self):
        return (self.folder.parent / "stderr.log").read_text(errors="replace")

    def wait_for_log(self, text, count=1):
        """Waits until so many lines have this text, and returns the last one of them."""
        def found():
            lines = [line for line in self.whole_log().splitlines() if text in line]
            return lines[-1] if len(lines) >= count else None
        return until(f"the log to say {text!r}", found)

    def count_in_log(self, text):
        """How many lines have this text so far."""
        return sum(text in line for line in self.whole_log().splitlines())

    def run(self, *arguments):
        """Runs a command of the binary and returns what it printed."""
        done = subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=DEADLINE)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        try:
            self.stop()
        finally:
            self.database.drop()
            if self._own:
                self._own.cleanup()

    # -- requests

    @property
    def authority(self):
        return f"{self.host}:{self.port}"

    @property
    def origin(self):
        return f"http://{self.authority}"

    def call(self, method, path, body=None, *, token=_GATEWAY_TOKEN, headers=None, raw=None, check=True):
        """One request on a connection of its own. `body` is sent as JSON, `raw` as it is.

        The answer is held to the document unless `check` is false.
        """
        sent = {"Connection": "close"}
        token = self.token if token is _GATEWAY_TOKEN else token
        if token:
            sent["Authorization"] = f"Bearer {token}"
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        sent = {name: value for name, value in sent.items() if value is not None}
        connection = http.client.HTTPConnection(self.host, self.port, timeout=DEADLINE)
        try:
            connection.putrequest(method, path, skip_host="Host" in sent, skip_accept_encoding=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            if data is not None:
                connection.putheader("Content-Length", str(len(data)))
            elif method in ("POST", "PUT", "PATCH"):
                connection.putheader("Content-Length", "0")
            try:
                connection.endheaders(data)
            except (BrokenPipeError, ConnectionResetError):
                pass  # it may refuse a body before it has read it
            response = connection.getresponse()
            answer = Answer(response.status, response.headers, response.read())
        finally:
            connection.close()
        if answer.code:
            SEEN_CODES.add(answer.code)
            if operation := DOCUMENT.operation(method, path):
                SEEN_AT.add((operation["operationId"], answer.code))
        if check:
            DOCUMENT.check(method, path, answer)
        return answer

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def all(self, path):
        """All items of a list, page by page. A gateway that tests share may have more than one page of anything."""
        found, cursor = [], ""
        while cursor is not None:
            page = self.get(f"{path}{cursor}").json
            found += page["items"]
            cursor = f"{'&' if '?' in path else '?'}cursor={page['next']}" if "next" in page else None
        return found

    def post(self, path, body=None, **more):
        return self.call("POST", path, body, **more)

    def put(self, path, body=None, **more):
        return self.call("PUT", path, body, **more)

    def patch(self, path, body=None, **more):
        return self.call("PATCH", path, body, **more)

    def delete(self, path, **more):
        return self.call("DELETE", path, **more)

    def events(self, path, *, token=_GATEWAY_TOKEN, headers=None, form="text/event-stream", is_slow=False):
        """An open stream, as server-sent events or in another endless form. A slow one reads nothing until it is asked."""
        token = self.token if token is _GATEWAY_TOKEN else token
        return Events(self, path, {**({"Authorization": f"Bearer {token}"} if token else {}), **(headers or {})}, form, is_slow)

    def raw(self, data, deadline=10.0, half_close=False):
        """Sends the bytes on a connection of their own and returns all that comes until it closes or `deadline`."""
        got = b""
        end = time.monotonic() + deadline
        with socket.create_connection((self.host, self.port), timeout=deadline) as link:
            try:
                link.sendall(data)
                if half_close:
                    link.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            while (left := end - time.monotonic()) > 0:
                link.settimeout(left)
                try:
                    piece = link.recv(65536)
                except (TimeoutError, ConnectionResetError):
                    break
                if not piece:
                    break
                got += piece
        return got


class Event:
    def __init__(self, name, id, data, retry):
        self.name, self.id, self.data, self.retry = name, id, data, retry

    def __repr__(self):
        return f"<{self.name} {self.id} {self.data}>"


class EventReader:
    """Takes the events of a feed one by one, whatever its form is."""

    def __init__(self):
        self.taken = []

    def _get(self, deadline):
        """The next event, a fault, or None at the end. Raises `queue.Empty` after `deadline` seconds."""
        raise NotImplementedError

    def next(self, deadline=DEADLINE, ignoring=("ping",)):
        """The next event; None when the stream has ended."""
        end = time.monotonic() + deadline
        while True:
            try:
                event = self._get(max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no event within {deadline} s; so far {self.taken}")
            if isinstance(event, Exception):
                raise AssertionError(f"the stream broke: {event!r}; so far {self.taken}")
            if event is None:
                return None
            DOCUMENT.check_event(event)
            if event.name not in ignoring:
                self.taken.append(event)
                return event

    def wait(self, name, deadline=DEADLINE):
        """The next event of this name; those before it are passed over (see `taken`)."""
        while event := self.next(deadline):
            if event.name == name:
                return event
        raise AssertionError(f"the stream ended before {name}; so far {self.taken}")

    def collect(self, last, deadline=DEADLINE):
        """The events up to and with the one for which `last` is true."""
        events = []
        while event := self.next(deadline):
            events.append(event)
            if last(event):
                return events
        raise AssertionError(f"the stream ended; so far {self.taken}")

    def quiet(self, seconds=0.5):
        """What still comes within `seconds`."""
        events = []
        try:
            while event := self.next(seconds):
                events.append(event)
        except AssertionError:
            pass
        return events

    def close(self):
        """Nothing is open between two requests."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Events(EventReader):
    """An open event stream: a thread of its own reads, the test takes events with a deadline."""

    def __init__(self, gateway, path, headers, form, is_slow=False):
        super().__init__()
        self.form = form
        self._connection = http.client.HTTPConnection(gateway.host, gateway.port, timeout=DEADLINE)
        self._connection.request("GET", path, headers={"Accept": form, **headers})
        self._response = self._connection.getresponse()
        self._socket = self._response.fp.raw._sock
        self.status, self.headers = self._response.status, self._response.headers
        self.retry = None
        self._queue = queue.Queue()
        if self.status == 200:
            assert self.headers.get_content_type() == form
            self._reader = threading.Thread(target=self._read, daemon=True)
            if not is_slow:
                self._reader.start()
        else:
            self.problem = json.loads(self._response.read())
            SEEN_CODES.add(self.problem["code"])

    def _get(self, deadline):
        if self._reader.ident is None:
            self._reader.start()
        return self._queue.get(timeout=deadline)

    def _read(self):
        try:
            if self.form == "text/event-stream":
                self._read_frames()
            else:
                self._read_lines()
            self._queue.put(None)
        except Exception as fault:  # the test sees it when it asks for the next event
            self._queue.put(fault)

    def _read_lines(self):
        while line := self._response.readline():
            assert line.endswith(b"}\n"), "a line is cut off"
            event = json.loads(line)
            assert list(event) in (["id", "type", "data"], ["type", "data"])
            self._queue.put(Event(event["type"], event.get("id"), event["data"], None))

    def _read_frames(self):
        name = id = None
        data = []
        while line := self._response.readline():
            assert line.endswith(b"\n"), "a line is cut off"
            field, _, value = line.rstrip(b"\r\n").decode().partition(":")
            value = value.removeprefix(" ")
            if field == "event":
                name = value
            elif field == "data":
                data.append(value)
            elif field == "id":
                id = value
            elif field == "retry":
                self.retry = int(value)
            elif line in (b"\n", b"\r\n"):
                if data:
                    self._queue.put(Event(name or "message", id, json.loads("\n".join(data)), self.retry))
                name = id = None
                data = []

    def close(self):
        # The reader holds the response's lock while it waits: only a shutdown of the socket wakes it.
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._connection.close()
