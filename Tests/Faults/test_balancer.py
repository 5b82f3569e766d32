"""A balancer in front of two gateways, with the article's own configuration: 500 streams, and a takeover."""

import contextlib
import http.client
import os
import pathlib
import pwd
import re
import shutil
import signal
import socket
import subprocess
import threading
import time

import pytest
from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, binary, in_threads, until
from standby import LOST, gateway, on, ready, standby
from streams import Crowd

ARTICLE = pathlib.Path(__file__).resolve().parents[2] / "Sources/parley/Parley.docc/PostgreSQL.md"
HOST = "chat.example.com"
SESSIONS, STREAMS_EACH = 100, 5
#: Seconds after which requests must get through once the standby is ready. The article says two on a quiet machine;
#: with one upstream for streams and requests, a minute is not enough.
PATIENCE = 30

pytestmark = needs_postgres


def found(name):
    """A program's path; the test is skipped where there is none."""
    return shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin") or pytest.skip(f"no {name} here")


def block(language, places):
    """The article's block in a language. `places` are pairs: what the article says, and what the test has in its place."""
    text = re.search(rf"```{language}\n(.*?)```", ARTICLE.read_text(), re.S)[1]
    for written, here in places:
        assert written in text, f"the article has no {written} any more"
        text = text.replace(written, here)
    return text


def nginx(folder, address, gateways):
    """Writes what the balancer needs into its folder, and returns its command."""
    temporary = "".join(f"{kind}_temp_path {folder}/{kind}; " for kind in ("proxy", "fastcgi", "uwsgi", "scgi"))
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    site = re.sub(r" *ssl_certificate.*;\n", "", block("nginx", [("listen 443 ssl http2;", f"listen {address};"), *gateways]))
    (folder / "nginx.conf").write_text(f"""
        daemon off; {user} worker_processes 1; worker_rlimit_nofile 4096; pid {folder}/nginx.pid;
        error_log {folder}/error.log; events {{ worker_connections 2048; }}
        http {{ access_log off; client_body_temp_path {folder}/body; {temporary} {site} }}""")
    return [found("nginx"), "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def haproxy(folder, address, gateways):
    site = block("haproxy", [(":443 ssl crt /etc/ssl/chat.example.com.pem alpn h2,http/1.1", address), *gateways])
    (folder / "haproxy.cfg").write_text(f"global\n    maxconn 2000\n{site}")
    return [found("haproxy"), "-db", "-f", str(folder / "haproxy.cfg")]


def caddy(folder, address, gateways):
    host, _, port = address.partition(":")
    site = block("caddy", [(f"{HOST} {{\n    tls /etc/ssl/{HOST}.pem /etc/ssl/{HOST}.key", f"http://{HOST}:{port} {{\n    bind {host}"), *gateways])
    (folder / "Caddyfile").write_text("{\n    admin off\n    grace_period 1s\n}\n" + site)
    return [found("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


class Balancer:
    """A balancer with the article's block, and two gateways. It has no TLS, which changes nothing behind it."""

    def __init__(self, make, folder, first, second):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.host, self.port = probe.getsockname()
        command = make(folder, f"{self.host}:{self.port}", [
            ("10.0.0.11:8787", f"{first.host}:{first.port}"), ("10.0.0.12:8787", f"{second.host}:{second.port}")])
        self._log = open(folder / "log", "wb")
        homes = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME")}
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log, env={**os.environ, **homes})
        until("the balancer to answer", self._answers)

    def _answers(self):
        assert self.process.poll() is None, pathlib.Path(self._log.name).read_text()
        with contextlib.suppress(OSError):
            return self.status("GET", "/readyz") == 200

    def status(self, method, path, token=None, body=None):
        """What a request gets, on a connection of its own; None when the connection breaks off."""
        link = http.client.HTTPConnection(self.host, self.port, timeout=60)
        headers = {"Host": HOST} | ({"Authorization": f"Bearer {token}"} if token else {})
        if body:
            headers["Content-Type"] = "application/json"
        try:
            link.request(method, path, body, headers)
            return link.getresponse().status
        except (http.client.HTTPException, ConnectionError):
            return None
        finally:
            link.close()

    def stream(self, chat):
        """A socket on which the stream has begun; None when the balancer refuses it."""
        link = socket.create_connection((self.host, self.port), timeout=60)
        link.sendall(f"GET {chat.path}/events HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {chat.token}\r\n"
                     "Accept: text/event-stream\r\nConnection: close\r\n\r\n".encode())
        if link.recv(12, socket.MSG_PEEK).endswith(b" 200"):
            return link
        link.close()
        return None

    def close(self):
        self.process.terminate()
        self.process.wait(30)
        self._log.close()


@pytest.fixture
def pair(postgres):  # noqa: F811
    """Two gateways that believe a proxy."""
    with contextlib.ExitStack() as stack:
        first = gateway(postgres, "one")
        first.arguments += ["--trust-proxy", "--allow-host", HOST]
        stack.callback(first.close)
        first.start()
        second = gateway(postgres, "two", like=first)
        second.arguments += ["--trust-proxy", "--allow-host", HOST]
        stack.callback(second.close)
        yield first, standby(second)


@pytest.fixture(params=[nginx, haproxy, caddy])
def balancer(request, pair, tmp_path):
    made = Balancer(request.param, tmp_path, *pair)
    yield made
    made.close()


class Asking:
    """Clients that ask all the time, each with a pause between two requests."""

    def __init__(self, balancer, chats):
        self.answers = []  # (when, status)
        self._is_over = threading.Event()
        self._balancer = balancer
        self._join = in_threads(self._ask, chats)

    def _ask(self, chat):
        while not self._is_over.wait(0.05):
            self.answers.append((time.monotonic(), self._balancer.status("GET", chat.path, chat.token)))

    def end(self):
        self._is_over.set()
        self._join(90)

    def is_through(self):
        """Whether the last ten answers are good."""
        last = [status for _, status in self.answers[-10:]]
        return len(last) == 10 and set(last) == {200}


def open_streams(balancer, crowd, chats):
    """Opens a stream for each, again and again until all are open. Returns when the last one was refused."""
    waiting, last = list(chats), 0.0
    end = time.monotonic() + 60
    while waiting:
        chat = waiting.pop()
        if link := balancer.stream(chat):
            crowd.add(link, chat)
        else:
            last = time.monotonic()
            assert last < end, f"{len(waiting) + 1} streams are refused"
            waiting.insert(0, chat)
            time.sleep(0.02)
    return last


def test_clients_get_through_soon_after_the_standby_is_ready(pair, balancer):
    first, second = pair
    chats = [Chat(first) for _ in range(SESSIONS)]
    owners = chats * STREAMS_EACH
    crowd = Crowd(lambda member, event: None)
    asking = None
    try:
        open_streams(balancer, crowd, owners)
        crowd.wait_ready(60)
        assert first.metrics()["parley_streams"] == len(owners)
        asking = Asking(balancer, chats[:4])
        until("requests", asking.is_through)
        first.kill()
        ready(second, 20)
        begin = time.monotonic()
        crowd.read("the end of all streams", lambda: all(member.is_gone for member in crowd.members))
        for member in list(crowd.members):
            crowd.remove(member)
        # Nobody comes back before there is room: all come at once.
        last = open_streams(balancer, crowd, owners)
        crowd.wait_ready(60)
        until("requests to get through", asking.is_through)
        asking.end()
        refused = [when for when, status in asking.answers if status != 200 and when > begin]
        slowest = max([last, *refused, begin]) - begin
        print(f"{len(refused)} requests were refused after the standby was ready, the last thing after {slowest:.1f} s")
        assert slowest < PATIENCE
        assert second.metrics()["parley_streams"] == len(owners)
    finally:
        if asking:
            asking.end()
        crowd.close()


def test_a_send_to_a_paused_gateway_reaches_the_other_one(pair, balancer):
    """nginx waits for the answer as long as the article's time-out says; the standby has taken over by then, or soon."""
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    assert balancer.status("POST", chat.messages_path(thread), chat.token, '{"id":"a","text":"before"}') == 201
    first.signal(signal.SIGSTOP)
    try:
        begin = time.monotonic()
        # Clients repeat what was refused, under the same id.
        statuses = [balancer.status("POST", chat.messages_path(thread), chat.token, '{"id":"b","text":"meanwhile"}')]
        while statuses[-1] not in (200, 201):
            assert time.monotonic() - begin < 40, statuses
            time.sleep(0.2)
            statuses.append(balancer.status("POST", chat.messages_path(thread), chat.token, '{"id":"b","text":"meanwhile"}'))
        print(f"answered {statuses} after {time.monotonic() - begin:.1f} s")
    finally:
        first.signal(signal.SIGCONT)
    assert first.wait() == LOST
    ready(second)
    assert [message["text"] for message in on(second, chat).history(thread)] == ["before", "meanwhile"]


class Sending:
    """Customers who send all the time, each their own messages in their order."""

    def __init__(self, balancer, chats):
        self.threads = [(chat, chat.thread()) for chat in chats]
        self.answers = []
        self.sent = {thread: [] for _, thread in self.threads}
        self._is_over = threading.Event()
        self._balancer = balancer
        self._join = in_threads(self._send, self.threads)

    def _send(self, place):
        chat, thread = place
        while not self._is_over.wait(0.02):
            text = str(len(self.sent[thread]))
            status = self._balancer.status("POST", chat.messages_path(thread), chat.token, f'{{"text":"{text}"}}')
            self.answers.append((time.monotonic(), status))
            self.sent[thread].append(text)

    def end(self):
        self._is_over.set()
        self._join(90)


@pytest.mark.parametrize("balancer", [nginx, haproxy], indirect=True)
def test_a_hand_over_refuses_nothing(pair, balancer):
    """A standby takes over, and then gives back, while customers read and write."""
    first, second = pair
    chats = [Chat(first) for _ in range(8)]
    asking, sending = Asking(balancer, chats[:4]), Sending(balancer, chats[4:])
    crowd = Crowd(lambda member, event: None)
    try:
        until("requests", asking.is_through)
        open_streams(balancer, crowd, chats)
        crowd.wait_ready(60)
        for leaving, coming in ((first, second), (second, first)):
            said = subprocess.run([binary(), "handover", "--data", str(leaving.folder)], capture_output=True, text=True, timeout=60)
            assert (said.returncode, said.stdout) == (0, "The gateway has handed over.\n"), said
            assert leaving.wait() == LOST
            ready(coming, 20)
            for member in list(crowd.members):
                crowd.remove(member)
            assert open_streams(balancer, crowd, chats) == 0.0, "a stream was refused"
            crowd.wait_ready(60)
            leaving.listen = f"{leaving.host}:{leaving.port}"
            standby(leaving)
    finally:
        asking.end()
        sending.end()
        crowd.close()
    refused = [(when, status) for when, status in asking.answers + sending.answers if status not in (200, 201)]
    assert refused == [], refused[:5]
    for chat, thread in sending.threads:
        assert [message["text"] for message in on(first, chat).history(thread)] == sending.sent[thread]


def test_nobody_is_there_to_take_over(postgres):  # noqa: F811
    alone = gateway(postgres, "one")
    try:
        alone.start()
        alone.signal(signal.SIGUSR2)
        alone.wait_for_log("no standby to hand over to")
        assert alone.call("GET", "/readyz", token=None).status == 200
    finally:
        alone.close()
