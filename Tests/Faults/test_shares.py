"""One sender who takes all that it can get: nobody else loses a place, and what it asked for ends when it has left.

Each attack is bounded in connections and in seconds, and prints what it did; `pytest -s` shows that. PARLEY_BIN may name
an older binary: the figures of both stand side by side then, and the assertions fail for a binary without shares."""

import collections
import contextlib
import resource
import selectors
import socket
import threading
import time

import pytest
from serving import Chat, Client, Gateway, Gone, until

CROWD = 4500
SECONDS = 5


@pytest.fixture(scope="module", autouse=True)
def descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 2 * CROWD:
        pytest.skip(f"{hard} descriptors are too few")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * CROWD), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def head(gateway, target, token=None, method="GET", more=""):
    authorization = f"Authorization: Bearer {token}\r\n" if token else ""
    return f"{method} {target} HTTP/1.1\r\nHost: {gateway.host}:{gateway.port}\r\n{authorization}{more}\r\n".encode()


class Attack:
    """Connections that send one request after the other, each as soon as the one before is answered."""

    def __init__(self, gateway, count, request):
        self.links, self.statuses = [], collections.Counter()
        self._selector, self._request = selectors.DefaultSelector(), request
        for number in range(count):
            link = socket.create_connection((gateway.host, gateway.port), timeout=20)
            link.sendall(request(number))
            link.setblocking(False)
            self._selector.register(link, selectors.EVENT_READ, number)
            self.links.append(link)

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for key, _ in self._selector.select(0.1):
                try:
                    answer = key.fileobj.recv(1 << 20)
                    if answer.startswith(b"HTTP/1.1 "):
                        self.statuses[int(answer[9:12])] += 1
                        key.fileobj.send(self._request(key.data))
                    if answer:
                        continue
                except OSError:
                    pass
                self._selector.unregister(key.fileobj)
        return self

    def leave(self):
        for link in self.links:
            link.close()


class Customer:
    """Somebody else, who writes a message every 20 ms, and looks at /livez as often."""

    def __init__(self, gateway):
        self.statuses, self.probes, self.sends = collections.Counter(), [], []
        self._chat, self._gateway, self._is_over = Chat(gateway), gateway, threading.Event()
        self._thread = threading.Thread(target=self._run, args=[self._chat.thread()])
        self._thread.start()

    def _run(self, thread):
        client, prober = self._gateway.client(self._chat.token), Client(self._gateway.host, self._gateway.port, None)
        while not self._is_over.wait(0.02):
            for times, ask in [(self.sends, lambda: client.call("POST", self._chat.messages_path(thread), {"text": "."})),
                               (self.probes, lambda: prober.call("GET", "/livez"))]:
                begun = time.monotonic()
                with contextlib.suppress(Gone):
                    status = ask().status
                    times.append(time.monotonic() - begun)
                    if times is self.sends:
                        self.statuses[status] += 1
        client.close()
        prober.close()

    def stop(self):
        self._is_over.set()
        self._thread.join()
        return self

    def __str__(self):
        def p99(times):
            return f"{1000 * sorted(times)[len(times) * 99 // 100]:.0f} ms" if times else "-"
        return f"sends {dict(self.statuses)}, p99 {p99(self.sends)}; /livez p99 {p99(self.probes)}"


def told(name, gateway, customer, attack):
    print(f"\n{name}: {customer}; the attacker got {dict(attack.statuses)}; resident {gateway.resident() >> 20} MiB")


def test_strangers_who_crowd_the_open_pages(gw):
    spellings = ["localhost", "LOCALHOST", "LoCaLhOsT", "lOcAlHoSt", "Localhost", "localHOST"]

    def request(number):
        host = f"{spellings[number % len(spellings)]}:{gw.port}"
        target = ["/docs?q=", f"/docs?q=w{number}", "/openapi.json"][number % 3]
        return f"HEAD {target} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()

    customer, chat, pages = Customer(gw), Chat(gw), []
    attack = Attack(gw, CROWD, request)
    crowd = threading.Thread(target=attack.run, args=[SECONDS])
    crowd.start()
    # Pages that nobody has asked for, while the strangers' requests wait: they are made before all of theirs.
    while crowd.is_alive():
        for token in (gw.token, chat.token):
            begun = time.monotonic()
            assert gw.get(f"/docs?q=known{len(pages)}", token=token).status == 200
            pages.append(time.monotonic() - begun)
    crowd.join()
    told("open pages", gw, customer.stop(), attack)
    print(f"known senders got {len(pages)} new pages, the slowest after {max(pages):.1f} s")
    attack.leave()
    until("the strangers' requests to end", lambda: gw.metrics()["parley_http_requests_in_flight"] <= 2)
    assert gw.get("/docs?q=nobody", token=None).status == 200
    assert set(customer.statuses) == {201} and attack.statuses[503] == 0


def test_searches_end_with_their_client(gw):
    mallory, other = Chat(gw), Chat(gw)
    thread = mallory.thread()
    for number in range(40):
        mallory.say(thread, " ".join(f"w{number}x{index} alpha" for index in range(1500)))
    until("the index", lambda: gw.get(f"{mallory.path}/search?q=w39x1", token=mallory.token)["items"])
    customer = Customer(gw)
    attack = Attack(gw, 1000, lambda number: head(gw, f"{mallory.path}/search?q=alpha&limit=50", mallory.token))
    attack.run(2)
    attack.leave()
    begun = time.monotonic()
    patient = Client(gw.host, gw.port, other.token, deadline=60)
    assert patient.call("GET", f"{other.path}/search?q=anything").status == 200
    patient.close()
    waited = time.monotonic() - begun
    until("the attacker's searches to end", lambda: gw.metrics()["parley_http_requests_in_flight"] <= 2, 60)
    left = time.monotonic() - begun
    told("searches", gw, customer.stop(), attack)
    print(f"another's search took {waited:.1f} s; the attacker's were gone {left:.1f} s after it had left")
    assert set(customer.statuses) == {201}
    assert attack.statuses[429] > 0 and attack.statuses[503] == 0


def test_streams_pages_and_uploads_of_one_leave_room():
    with Gateway(arguments=["--stream-limit", "400"]) as gateway:
        mallory, other = Chat(gateway), Chat(gateway)
        upload = head(gateway, f"{mallory.path}/attachments", mallory.token, "POST", "Content-Type: text/plain\r\nContent-Length: 100\r\n")
        wants = [
            ("streams", 500, head(gateway, f"{mallory.path}/events", mallory.token, more="Accept: text/event-stream\r\n")),
            ("pages", 2200, head(gateway, f"{mallory.path}/events?wait=50", mallory.token, more="Accept: application/json\r\n")),
            ("uploads", 300, upload + b"a"),
        ]
        attacks = []
        for name, count, request in wants:
            customer = Customer(gateway)
            attack = Attack(gateway, count, lambda _, request=request: request)
            attack.run(1)
            told(name, gateway, customer.stop(), attack)
            assert attack.statuses[429] > 0 and attack.statuses[503] == 0 and set(customer.statuses) == {201}
            attacks.append(attack)
        link = socket.create_connection((gateway.host, gateway.port), timeout=20)
        link.sendall(head(gateway, f"{other.path}/events", other.token, more="Accept: text/event-stream\r\n"))
        assert link.recv(64).startswith(b"HTTP/1.1 200")
        link.close()
        page = gateway.get(f"{other.path}/events?wait=1", token=other.token, headers={"Accept": "application/json"})
        assert page.status == 200
        file = gateway.post(f"{other.path}/attachments", raw=b"hello", token=other.token, headers={"Content-Type": "text/plain"})
        assert file.status == 201, file
        for attack in attacks:
            attack.leave()
