"""Which pages of its database a send writes, by the table or index that they belong to: counts, which no load disturbs."""

import collections
import contextlib
import json
import sqlite3
import struct
import threading
import uuid

from .calls import TEXT, Connection


class WriteAheadLog:
    """The log of a SQLite database that another process writes."""

    HEADER, FRAME = 32, 24

    def __init__(self, database):
        self._path, self._salt, self._seen = f"{database}-wal", None, 0
        self.take()

    def take(self):
        """The numbers of the pages that were written since the last call, in order. The log must not have begun anew twice
        in between."""
        with open(self._path, "rb") as file:
            content = file.read()
        if len(content) < self.HEADER:
            return []
        size, salt = struct.unpack_from(">I", content, 8)[0], content[16:24]
        if salt != self._salt:
            self._salt, self._seen = salt, 0
        pages, place = [], self.HEADER + self._seen * (self.FRAME + size)
        # What is left of an earlier round has other salt.
        while place + self.FRAME + size <= len(content) and content[place + 8 : place + 16] == salt:
            pages.append(struct.unpack_from(">I", content, place)[0])
            place += self.FRAME + size
        self._seen += len(pages)
        return pages


def owners(database):
    """The table or index that each page belongs to."""
    with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        return dict(connection.execute("SELECT pageno, name FROM dbstat"))


class Senders:
    """Customers with a thread each, in turn: so that a send meets other pages than the one before it."""

    def __init__(self, port, token, count=100):
        self.connections, self.paths = [], []
        with contextlib.closing(Connection(port, token)) as setup:
            def post(path, body):
                status, _, answer = setup.send("POST", path, body)
                assert status == 201, answer
                return json.loads(answer)

            for _ in range(count):
                session = post("/v1/sessions", {"service": "local", "channel": "multi"})
                path = f"/v1/sessions/{session['id']}/threads"
                self.paths.append(f"{path}/{post(path, {})['id']}/messages")
                self.connections.append(Connection(port, session["token"]))

    def send(self, number, key=True):
        number %= len(self.paths)
        headers = f"Idempotency-Key: {uuid.uuid4()}\r\n" if key else ""
        status, _, answer = self.connections[number].send(
            "POST", self.paths[number], {"id": str(uuid.uuid4()), "text": TEXT}, headers)
        assert status == 201, answer

    def together(self, numbers):
        """One message of each of them, at the same time."""
        sending = [threading.Thread(target=self.send, args=(number,)) for number in numbers]
        for one in sending:
            one.start()
        for one in sending:
            one.join()

    def close(self):
        for one in self.connections:
            one.close()


ROUNDS, GROUP = 100, 32


def alone(senders, log):
    """The pages of messages that come one after the other, and how many messages these were."""
    pages = []
    for number in range(ROUNDS):
        senders.send(number)
        pages += log.take()
    return pages, ROUNDS


def in_groups(senders, log):
    """The same of messages that come together."""
    pages = []
    for number in range(ROUNDS // 8):
        senders.together(range(number * GROUP, (number + 1) * GROUP))
        pages += log.take()
    return pages, ROUNDS // 8 * GROUP


def written(database, port, token, ways=(alone, in_groups)):
    """What a message writes, each way of sending: {way: {table or index: pages}}.

    Each message has an idempotency key, as those of Parley's own clients have. All customers have written before.
    """
    with contextlib.closing(Senders(port, token)) as senders:
        for number in range(3 * len(senders.paths)):
            senders.send(number)
        log = WriteAheadLog(database)
        found = {way: way(senders, log) for way in ways}
    owner = owners(database)
    return {
        way: {name: count / messages for name, count in collections.Counter(owner.get(page, "freed") for page in pages).most_common()}
        for way, (pages, messages) in found.items()}
