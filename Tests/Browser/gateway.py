"""A gateway of our own for a test: a process with a data folder, stopped, killed and started again at will."""

import http.client
import json
import os
import signal
import subprocess
import threading
import time
import urllib.request
from pathlib import Path
from urllib.parse import urlsplit

PATIENCE = float(os.environ.get("PARLEY_PATIENCE", "30"))  # seconds; a condition that holds ends the wait at once


def until(condition, what, patience=None):
    """The first true value of `condition`; fails with `what` when there is none in time."""
    begin = time.monotonic()
    while True:
        value = condition()
        if value:
            return value
        waited = time.monotonic() - begin
        if waited > (patience or PATIENCE):
            raise AssertionError(f"never came true: {what}; last: {value!r}")
        # Most conditions come true at once, or almost. To ask costs the browser's time, which the page needs.
        time.sleep(min(max(0.004, waited / 3), 0.15))


class Refused(Exception):
    """The gateway answered with a problem."""

    def __init__(self, status, problem):
        super().__init__(f"{status} {problem}")
        self.status = status
        self.problem = problem


class Gateway:
    def __init__(self, folder: Path, *options: str):
        self.data = folder / "data"
        self.log = folder / "gateway.log"
        self.options = options
        self.port = 0  # the system's choice; kept for the next start
        self.process = None
        self.own = threading.local()  # a connection for each thread of a test
        binary = os.environ.get("PARLEY_BIN")
        if not binary:
            raise RuntimeError("PARLEY_BIN must name the parley executable")
        self.binary = binary

    def start(self):
        self.begin()
        until(self._is_ready, "the gateway is ready")
        return self

    def begin(self):
        """Starts the process, and does not wait until it answers."""
        (self.data / "address").unlink(missing_ok=True)
        web = os.environ.get("PARLEY_WEB")  # pages from elsewhere than beside the binary
        command = [self.binary, "serve", "--listen", f"127.0.0.1:{self.port}", "--data", str(self.data), *self.options]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(command + (["--web", web] if web else []), stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def stop(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(20)

    def restart(self, how=signal.SIGTERM):
        self.stop(how)
        self.start()

    def _is_ready(self):
        if self.process.poll() is not None:
            raise AssertionError(f"parley ended with {self.process.returncode}:\n{self.log.read_text()[-2000:]}")
        address = self.data / "address"
        if not address.exists() or not address.read_text().strip():
            return False
        self.address = address.read_text().strip()
        self.port = int(self.address.rsplit(":", 1)[1])
        self.token = (self.data / "token").read_text().strip()
        try:
            with urllib.request.urlopen(f"{self.address}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def launch_url(self):
        """What `parley open` would open: a page's address that works once."""
        command = [self.binary, "open", "--print", "--data", str(self.data)]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=30).stdout.strip()

    def new_login(self):
        """(name, value) of a new login's cookie, and its page half, as the page of `launch_url` gets them. The code comes from
        the route that `parley open` asks: to start the program for each test takes long."""
        address = urlsplit(self.post("/auth/codes")["url"])
        connection = http.client.HTTPConnection(address.netloc, timeout=30)
        connection.request("POST", f"/auth/codes/{address.path.rpartition('/')[2]}/redeem")
        answer = connection.getresponse()
        name, value = answer.headers["Set-Cookie"].split(";")[0].split("=", 1)
        page = json.loads(answer.read())["page"]
        connection.close()
        return (name, value), page

    def api(self, method, path, body=None, token=None):
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {token or self.token}"}
        if data is not None:
            headers["Content-Type"] = "application/json"
        status, content = self._exchange(method, path, data, headers)
        if status >= 400:
            raise Refused(status, content.decode())
        return json.loads(content) if content else None

    def _exchange(self, method, path, data, headers):
        """Over one connection, as long as the gateway that it leads to lives: tests write thousands of messages."""
        kept = getattr(self.own, "kept", None)
        isUsed = kept is not None and kept[0] is self.process
        if not isUsed:
            kept = self.own.kept = (self.process, http.client.HTTPConnection(f"127.0.0.1:{self.port}", timeout=30))
        connection = kept[1]
        try:
            connection.request(method, path, data, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        except BaseException as error:
            self.own.kept = None
            connection.close()
            # The gateway has closed what was idle for long: it has not seen this request.
            if isUsed and isinstance(error, (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected)):
                return self._exchange(method, path, data, headers)
            raise

    def get(self, path):
        return self.api("GET", path)

    def post(self, path, body=None):
        return self.api("POST", path, body)

    def upload(self, path, name, mime_type, content):
        """An attachment; answers it."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": mime_type, "Content-Disposition": f'attachment; filename="{name}"'}
        request = urllib.request.Request(self.address + path, content, headers, method="POST")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())

    def desk_messages(self, thread):
        """Every message of a thread as the desk reads them, oldest first."""
        items, path = [], f"/v1/desk/threads/{thread}/messages?limit=200"
        while path:
            page = self.get(path)
            items += page["items"]
            path = page.get("next") and f"/v1/desk/threads/{thread}/messages?limit=200&cursor={page['next']}"
        return items[::-1]

    def streams(self):
        return self.get("/v1/streams")["items"]


class Spares:
    """Gateways for tests, each of its own. The next one starts while the test before it runs: that waits half of its time."""

    def __init__(self, folder):
        self.folder = folder  # makes a new folder
        self.next = {}  # by options

    def take(self, *options):
        gateway = self.next.pop(options, None) or self._begun(options)
        until(gateway._is_ready, "the gateway is ready")
        self.next[options] = self._begun(options)
        return gateway

    def _begun(self, options):
        gateway = Gateway(self.folder(), *options)
        gateway.begin()
        return gateway

    def end(self):
        for gateway in self.next.values():
            gateway.stop(signal.SIGKILL)
