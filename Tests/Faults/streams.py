"""Event streams on raw sockets: one that is read when the test says so, and a crowd that one thread reads."""

import json
import select
import socket
import time

DEADLINE = 30.0


class Event:
    __slots__ = ("name", "id", "data")

    def __init__(self, name, id, data):
        self.name, self.id, self.data = name, id, data

    @property
    def json(self):
        return json.loads(self.data)

    @property
    def offset(self):
        return int(self.id.rpartition("-")[2]) if self.id else None

    def __repr__(self):
        return f"<{self.name} {self.id} {self.data[:120]!r}>"


class Parser:
    """Bytes of an answer in, events out: head, chunks, lines."""

    def __init__(self):
        self._raw, self._text = bytearray(), bytearray()
        self._left = None  # bytes of the chunk that are still to come
        self.status = None
        self.head = b""
        self.last_id = None
        self.retry = None
        #: The last chunk came: the stream ended as it should.
        self.is_over = False

    def feed(self, data):
        self._raw += data
        if self.status is None:
            head, found, rest = bytes(self._raw).partition(b"\r\n\r\n")
            if not found:
                return []
            self.status, self.head = int(head.split(b" ", 2)[1]), head
            self._raw = bytearray(rest)
        self._unchunk()
        # The last words of a stream: a line that ends no event.
        words = bytes(self._text).rpartition(b"\n\n")[2]
        if self.is_over and words.startswith(b"retry: ") and words.endswith(b"\n"):
            self._event(words)
        if b"\n\n" not in self._text:
            return []
        whole, _, rest = bytes(self._text).rpartition(b"\n\n")
        self._text = bytearray(rest)
        return [event for block in whole.split(b"\n\n") if (event := self._event(block))]

    def _unchunk(self):
        while self._raw and not self.is_over:
            if self._left is None:
                line, found, rest = self._raw.partition(b"\r\n")
                if not found:
                    return
                self._left, self._raw = int(line, 16) + 2, rest
                if self._left == 2:
                    self.is_over = True
                    return
            piece = self._raw[: self._left]
            del self._raw[: self._left]
            self._text += piece[: max(0, self._left - 2)]
            self._left -= len(piece)
            if self._left == 0:
                self._left = None

    def _event(self, block):
        name = id = data = None
        for line in block.split(b"\n"):
            field, _, value = line.partition(b":")
            value = value.removeprefix(b" ")
            if field == b"data":
                data = value if data is None else data + b"\n" + value
            elif field == b"event":
                name = value.decode()
            elif field == b"id":
                id = value.decode()
            elif field == b"retry":
                self.retry = int(value)
        if id:
            self.last_id = id
        return Event(name, id, data) if data is not None else None


def connect(host, port, path, token, last_id=None, receive_buffer=None, source=None, deadline=DEADLINE):
    """A socket that has asked for the stream."""
    link = socket.socket(socket.AF_INET)
    link.settimeout(deadline)
    if receive_buffer:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    if source:
        link.bind((source, 0))
    link.connect((host, port))
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}:{port}", f"Authorization: Bearer {token}", "Accept: text/event-stream"]
    if last_id:
        lines.append(f"Last-Event-ID: {last_id}")
    link.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    return link


class Stream:
    """One stream. It is read only when the test asks for an event."""

    def __init__(self, gateway, path, token=None, **more):
        self.socket = connect(gateway.host, gateway.port, path, token or gateway.token, **more)
        self.parser = Parser()
        self._events = []

    @property
    def last_id(self):
        return self.parser.last_id

    def next(self, deadline=DEADLINE, ignoring=("ping",)):
        """The next event; None when the stream has ended or broke off (see `parser.is_over`)."""
        end = time.monotonic() + deadline
        while True:
            while self._events:
                event = self._events.pop(0)
                if event.name not in ignoring:
                    return event
            left = end - time.monotonic()
            assert left > 0, f"no event within {deadline} s"
            self.socket.settimeout(left)
            try:
                data = self.socket.recv(1 << 18)
            except ConnectionError:
                return None
            except TimeoutError:
                continue
            if not data:
                return None
            self._events += self.parser.feed(data)
            assert self.parser.status in (None, 200), self.parser.head
            if self.parser.is_over and not self._events:
                return None

    def collect(self, last, deadline=DEADLINE):
        """The events up to and with the one for which `last` is true."""
        end = time.monotonic() + deadline
        events = []
        while True:
            event = self.next(max(0.001, end - time.monotonic()))
            assert event, f"the stream ended; the last events were {events[-3:]}"
            events.append(event)
            if last(event):
                return events

    def ready(self):
        return self.collect(lambda event: event.name == "ready")

    def rest(self, deadline=DEADLINE):
        """What comes until the stream ends."""
        events = []
        end = time.monotonic() + deadline
        while event := self.next(max(0.001, end - time.monotonic())):
            events.append(event)
        return events

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Crowd:
    """Many streams, read by whoever calls `read`."""

    class Member:
        def __init__(self, socket, key):
            self.socket, self.key, self.parser = socket, key, Parser()
            self.is_ready = False
            self.is_gone = False

    def __init__(self, take):
        """`take(member, event)` is called for every event but ready and ping."""
        self._take = take
        self._poll = select.epoll()
        self._by_descriptor = {}
        self.members = []

    def add(self, link, key=None):
        link.setblocking(False)
        member = Crowd.Member(link, key)
        self.members.append(member)
        self._by_descriptor[link.fileno()] = member
        self._poll.register(link.fileno(), select.EPOLLIN)
        return member

    def remove(self, member):
        """Forgets the stream and closes it."""
        self.members.remove(member)
        if not member.is_gone:
            self._poll.unregister(member.socket.fileno())
        member.socket.close()

    def read(self, what, condition, deadline=DEADLINE):
        """Reads until the condition holds."""
        end = time.monotonic() + deadline
        while not condition():
            left = end - time.monotonic()
            assert left > 0, f"in vain waited {deadline} s for {what}"
            for descriptor, _ in self._poll.poll(min(left, 0.2), 1024):
                self._read(self._by_descriptor[descriptor])

    def _read(self, member):
        try:
            data = member.socket.recv(1 << 17)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            member.is_gone = True
            self._poll.unregister(member.socket.fileno())
            return
        for event in member.parser.feed(data):
            if event.name == "ready":
                member.is_ready = True
            elif event.name != "ping":
                self._take(member, event)

    def wait_ready(self, deadline=DEADLINE):
        self.read("every stream's ready", lambda: all(member.is_ready for member in self.members), deadline)

    def close(self):
        for member in self.members:
            member.socket.close()
        self._poll.close()
