"""A gateway that is made to suffer: started on a free port, asked over HTTP, ended by its process id."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Contract"))

from database import IS_POSTGRES, Database  # noqa: E402

DEADLINE = 30.0

# Customers of these tests write as fast as they can. The limits of their tokens have tests of their own.
for limit in ("MESSAGES", "THREADS", "UPLOADS", "CHANGES"):
    os.environ.setdefault(f"PARLEY_{limit}_PER_HOUR", "0")


def binary() -> str:
    path = os.environ.get("PARLEY_BIN")
    assert path, "PARLEY_BIN must name the gateway's binary"
    return os.path.abspath(path)


def until(what, condition, deadline=DEADLINE, every=0.02):
    """The first true value of `condition`, asked again and again; fails after `deadline` seconds."""
    end = time.monotonic() + deadline
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"in vain waited {deadline} s for {what}"
        time.sleep(every)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def __repr__(self):
        return f"<{self.status} {self.body[:400]!r}>"

    def __getitem__(self, name):
        return self.json[name]

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        kind = (self.headers.get("Content-Type") or "").partition(";")[0]
        return self.json.get("code") if kind == "application/problem+json" else None


class Gone(Exception):
    """The gateway went away before it answered: what was asked may have happened, or not."""


class Client:
    """One kept connection with one token, for one thread."""

    def __init__(self, host, port, token, deadline=DEADLINE):
        self._connection = http.client.HTTPConnection(host, port, timeout=deadline)
        self._token = token

    def call(self, method, path, body=None, headers=None, raw=None):
        """`body` is sent as JSON; `raw` is sent as it is."""
        sent = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        data = raw
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        sent.update(headers or {})
        try:
            self._connection.request(method, path, data, sent)
            response = self._connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as fault:
            self._connection.close()
            raise Gone(repr(fault)) from fault

    def close(self):
        self._connection.close()


class Gateway:
    """The gateway on a folder that outlives its processes."""

    def __init__(self, folder=None, arguments=(), **popen):
        """`arguments` come after `serve`; `popen` goes to every process that is started."""
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="parley-faults-")
        root = pathlib.Path(folder or self._own.name)
        self.folder = root / "data"
        # Beside the folder of the data: that one may lie on a disk that is full.
        self._logs = tempfile.TemporaryDirectory(prefix="parley-log-")
        self.log_file = pathlib.Path(self._logs.name) / "stderr.log"
        self.arguments, self.popen = list(arguments), popen
        #: Any free port; a test may name that of an earlier start.
        self.listen = "127.0.0.1:0"
        #: Not for a test that names a store in its arguments.
        self.rows = Database()
        self.process = None

    # -- life

    @property
    def _store(self):
        return [] if "--store" in self.arguments else self.rows.arguments

    def launch(self):
        """Starts the process, and waits for nothing."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (self.folder / "address").unlink(missing_ok=True)
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                [binary(), "serve", "--listen", self.listen, "--data", str(self.folder), *self._store, *self.arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, **self.popen)
        return self

    def start(self):
        self.launch()
        until("the gateway to be ready", self._is_ready)
        self.token = (self.folder / "token").read_text().strip()
        return self

    def _is_ready(self):
        assert self.process.poll() is None, f"the gateway ended with {self.process.returncode}:\n{self.log()}"
        try:
            lines = (self.folder / "address").read_text().splitlines()
        except FileNotFoundError:
            return False
        if not lines:
            return False
        parts = urllib.parse.urlsplit(lines[0].strip())
        self.host, self.port = parts.hostname, parts.port
        with contextlib.suppress(Gone):
            return self.call("GET", "/readyz", token=None).status == 200

    @property
    def pid(self):
        return self.process.pid

    def signal(self, number):
        """Sends the signal. After SIGSTOP it waits until all threads have stopped: a running one could still answer."""
        os.kill(self.process.pid, number)
        if number == signal.SIGSTOP:
            os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)

    def wait(self, deadline=DEADLINE):
        """The exit code; a gateway that does not end is killed, and the test fails."""
        try:
            return self.process.wait(deadline)
        except subprocess.TimeoutExpired:
            os.kill(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise AssertionError(f"the gateway did not end within {deadline} s:\n{self.log()}") from None

    def stop(self):
        self.signal(signal.SIGTERM)
        return self.wait()

    def kill(self):
        self.signal(signal.SIGKILL)
        return self.wait()

    def close(self):
        if self.process and self.process.poll() is None:
            self.kill()
        self.rows.drop()
        self._logs.cleanup()
        if self._own:
            self._own.cleanup()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.close()

    def log(self):
        """The end of what it has said. A thread of its own writes the log: a line may come after the answer that it is about."""
        return self.log_file.read_text(errors="replace")[-4000:]

    def wait_for_log(self, text):
        """Waits until a line has this text, and returns the last one of them."""
        def last():
            lines = self.log_file.read_text(errors="replace").splitlines()
            return next((line for line in reversed(lines) if text in line), None)

        try:
            return until(f"the log to say {text!r}", last)
        except AssertionError as error:
            raise AssertionError(f"{error}; it says\n{self.log()}") from None

    def select(self, sql):
        """The rows of a query, as texts. The gateway has to be ended, or at rest."""
        if IS_POSTGRES:
            return self.rows.select(sql)
        # Of a copy, so that the gateway finds what it left.
        with tempfile.TemporaryDirectory(prefix="parley-copy-") as folder:
            for path in self.folder.glob("parley.sqlite*"):
                shutil.copy(path, folder)
            with contextlib.closing(sqlite3.connect(f"{folder}/parley.sqlite")) as database:
                return [[str(value) for value in row] for row in database.execute(sql)]

    # -- requests

    def client(self, token=None, deadline=DEADLINE):
        return Client(self.host, self.port, token or self.token, deadline)

    def call(self, method, path, body=None, token=..., **more):
        """One request on a connection of its own."""
        client = Client(self.host, self.port, self.token if token is ... else token)
        try:
            return client.call(method, path, body, **more)
        finally:
            client.close()

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def post(self, path, body=None, **more):
        return self.call("POST", path, body, **more)

    # -- what it costs

    def metrics(self):
        found = {}
        for line in self.get("/metrics").body.decode().splitlines():
            if not line.startswith("#") and line:
                name, _, value = line.rpartition(" ")
                found[name] = float(value)
        return found

    def resident(self):
        """VmRSS in bytes."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) << 10

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))


class Chat:
    """A customer's session, and threads in it."""

    def __init__(self, gateway, channel="multi", **customer):
        self.gateway = gateway
        answer = gateway.post("/v1/sessions", {"channel": channel, **({"customer": customer} if customer else {})})
        assert answer.status == 201 and answer["state"] == "ready", answer
        self.id, self.token = answer["id"], answer["token"]
        self.path = f"/v1/sessions/{self.id}"

    def thread(self):
        """A thread's id; the desk does not know it before its first message."""
        answer = self.gateway.post(f"{self.path}/threads", token=self.token)
        assert answer.status == 201, answer
        return answer["id"]

    def messages_path(self, thread):
        return f"{self.path}/threads/{thread}/messages"

    def say(self, thread, text, **more):
        answer = self.gateway.post(self.messages_path(thread), {"text": text, **more}, token=self.token)
        assert answer.status == 201, answer
        return answer.json

    def history(self, thread):
        """All messages, oldest first, page by page."""
        found, cursor = [], ""
        client = self.gateway.client(self.token)
        while True:
            page = client.call("GET", f"{self.messages_path(thread)}?limit=200{cursor}")
            assert page.status == 200, page
            found += page["items"]
            if "next" not in page.json:
                client.close()
                return found[::-1]
            cursor = "&cursor=" + urllib.parse.quote(page["next"], safe="")


def in_threads(work, arguments):
    """Runs `work(argument)` for each in a thread of its own; returns a function that waits and passes on what they raised."""
    faults = []

    def run(argument):
        try:
            work(argument)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=run, args=(argument,), daemon=True) for argument in arguments]
    for thread in threads:
        thread.start()

    def join(deadline=DEADLINE):
        end = time.monotonic() + deadline
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        assert not any(thread.is_alive() for thread in threads), f"threads still run after {deadline} s"
        if faults:
            raise faults[0]

    return join
