"""How often the gateway calls its allocator, SQLite and the kernel for one request: counts, which no load disturbs.

counters/calls.c is preloaded into the gateway and counts. The requests come one after the other over one connection,
each in one piece, so that two runs give the same counts but for what goes on in the background.
"""

import contextlib
import json
import mmap
import os
import socket
import struct
import time
import uuid

# The order of `struct counts` in counters/calls.c.
NAMES = ("allocations", "bytes", "statements", "prepared", "syncs", "writes", "reads", "polls")
TEXT = "The parcel has not come yet, although the page says that it was handed over on Tuesday. Can you look?"
WARM_UP, REQUESTS, STREAMS = 200, 500, 20


class Calls:
    """The counts of one process, which `environment` starts with the library."""

    def __init__(self, library, path):
        with open(path, "wb") as file:
            file.write(bytes(mmap.PAGESIZE))
        with open(path, "r+b") as file:
            self._page = mmap.mmap(file.fileno(), mmap.PAGESIZE)
        self.environment = {"LD_PRELOAD": library, "CALLS_FILE": path}

    def read(self):
        return struct.unpack_from(f"{len(NAMES)}Q", self._page)


class Connection:
    """One kept connection; a request is one packet."""

    def __init__(self, port, token):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._reader = self._socket.makefile("rb")
        self._head = f"Host: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n"

    def send(self, method, path, body=None, headers=""):
        """The answer's status, headers in lower case, and body."""
        content = b"" if body is None else json.dumps(body).encode()
        described = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n" if body is not None else ""
        self._socket.sendall(f"{method} {path} HTTP/1.1\r\n{self._head}{described}{headers}\r\n".encode() + content)
        status, found = int(self._reader.readline().split()[1]), {}
        while (line := self._reader.readline().strip()):
            name, _, value = line.decode().partition(":")
            found[name.lower()] = value.strip()
        return status, found, self._reader.read(int(found.get("content-length", 0)))

    def skip(self, marker, count):
        """Reads an event stream until the marker has come so often."""
        while count:
            line = self._reader.readline()
            assert line, "the stream has ended"
            count -= marker in line

    def close(self):
        self._reader.close()
        self._socket.close()


def counted(calls, port, token):
    """What one send, one page of 20, one page that has not changed, and one event to one stream cost.

    Returns {operation: {name: count for each request}}. An event's share is what the same messages cost more when
    streams follow them.
    """
    with contextlib.closing(Connection(port, token)) as setup:
        session = json.loads(setup.send("POST", "/v1/sessions", {"service": "local", "channel": "multi"})[2])
        path = f"/v1/sessions/{session['id']}"
        thread = json.loads(setup.send("POST", f"{path}/threads", {})[2])["id"]
    messages, events = f"{path}/threads/{thread}/messages", f"{path}/events?types=message.created"
    connection = Connection(port, session["token"])
    streams = []

    def send():
        status, _, answer = connection.send("POST", messages, {"id": str(uuid.uuid4()), "text": TEXT})
        assert status == 201, answer

    def page(condition=""):
        status, headers, answer = connection.send("GET", f"{messages}?limit=20", headers=condition)
        assert status == (304 if condition else 200), answer
        return headers["etag"]

    def many(operation, follow=lambda: None):
        for _ in range(WARM_UP):
            operation()
            follow()
        before = calls.read()
        for _ in range(REQUESTS):
            operation()
            follow()
        return {name: (after - start) / REQUESTS for name, after, start in zip(NAMES, calls.read(), before)}

    try:
        found = {"send": many(send), "page": many(page)}
        tag = page()
        found["page, 304"] = many(lambda: page(f"If-None-Match: {tag}\r\n"))
        for _ in range(STREAMS):
            stream = Connection(port, session["token"])
            stream.send("GET", events)
            stream.skip(b"event: ready", 1)
            streams.append(stream)

        def heard():
            for stream in streams:
                stream.skip(b"event: message.created", 1)

        followed = many(send, heard)
        found["delivery"] = {name: (followed[name] - found["send"][name]) / STREAMS for name in NAMES}
    finally:
        for opened in [connection, *streams]:
            opened.close()
    return found


def counted_trips(calls, port, token, address):
    """What a message's trip to the platform and back costs each process of `calls`.

    Returns {process: {name: count for each message}}. A trip is over with the answer, which follows the platform's push.
    """
    with contextlib.closing(Connection(port, token)) as setup:
        session = json.loads(setup.send("POST", "/v1/sessions", address)[2])
        path = f"/v1/sessions/{session['id']}"
        thread = json.loads(setup.send("POST", f"{path}/threads", {})[2])["id"]
    with contextlib.closing(Connection(port, session["token"])) as connection:
        def send(count):
            for _ in range(count):
                status, _, answer = connection.send(
                    "POST", f"{path}/threads/{thread}/messages", {"id": str(uuid.uuid4()), "text": TEXT})
                assert status == 201 and json.loads(answer)["status"] == "delivered", answer

        send(WARM_UP)
        before = rested(calls)
        send(REQUESTS)
        return shares(before, rested(calls), REQUESTS)


def counted_openings(calls, port, token, address):
    """What opening a session of a new customer costs each process of `calls`, with what follows in the background."""
    with contextlib.closing(Connection(port, token)) as connection:
        def open_sessions(count):
            for _ in range(count):
                status, _, answer = connection.send("POST", "/v1/sessions", {**address, "customer": {"id": str(uuid.uuid4())}})
                assert status == 201 and json.loads(answer)["state"] == "ready", answer

        open_sessions(WARM_UP // 5)
        before = rested(calls)
        open_sessions(REQUESTS // 5)
        return shares(before, rested(calls), REQUESTS // 5)


def rested(calls):
    """The counts of each process, once what the last request left to the background is done."""
    found = None
    while found != (now := {name: one.read() for name, one in calls.items()}):
        found = now
        time.sleep(0.2)
    return found


def shares(before, after, count):
    """The difference for each of so many requests."""
    return {
        process: {name: (end - start) / count for name, end, start in zip(NAMES, after[process], before[process])}
        for process in before}
