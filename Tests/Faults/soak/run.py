"""The load of a soak, and its samples."""

import collections
import random
import resource
import threading
import time

from serving import Chat, Gateway, until
from soak import visits
from soak.samples import Samples
from streams import Crowd, connect

#: Streams that leave and come, a second, of all.
TURNOVER = 0.02
#: A session for so many streams.
SHARED = 20


def allow_descriptors(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count if hard == resource.RLIM_INFINITY else min(count, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))


class Soak:
    """Streams that come and go, messages at a rate, and visits of each kind; all in threads of this process."""

    def __init__(self, streams, rate, seed, csv=None, only=()):
        self.count, self.rate, self.seed, self.csv = streams, rate, random.Random(seed), csv
        self.kinds = {kind: often for kind, often in visits.KINDS.items() if not only or kind.__name__ in only}
        self.done, self.faults = collections.Counter(), []
        self.stopping = threading.Event()

    def run(self, seconds, every=10.0, rest=90.0, report=lambda line: None):
        """Loads for `seconds`, then lets all clients leave and measures for `rest` seconds."""
        allow_descriptors(self.count + 1000)
        with Gateway(arguments=["--cxone-sandbox"]) as self.gateway:
            self.samples = Samples(self.gateway, self.csv)
            self._warm()
            self.samples.take("before")
            self.chats = [Chat(self.gateway, id=f"regular-{number}") for number in range(max(1, self.count // SHARED))]
            self.threads = [chat.thread() for chat in self.chats]
            workers = self._start()
            end, shown = time.monotonic() + seconds, 0
            while (left := end - time.monotonic()) > 0:
                self.stopping.wait(min(every, left))
                sample = self.samples.take("load")
                if sample["seconds"] - shown >= 60:
                    shown = sample["seconds"]
                    report(f"{sample} {dict(self.done)} faults {len(self.faults)}")
            self.stopping.set()
            for worker in workers:
                worker.join(60)
                assert not worker.is_alive(), f"{worker.name} does not end"
            for chat in self.chats:
                assert self.gateway.call("DELETE", chat.path).status == 204
            until("the streams to be gone", lambda: self.gateway.metrics()["parley_streams"] == 0, 60)
            end = time.monotonic() + rest
            while (left := end - time.monotonic()) > 0:
                time.sleep(min(every, left))
                self.samples.take("after")
            self.samples.close()

    def _warm(self):
        """One visit of each kind: what is made once, at the first use, is no growth."""
        for kind in self.kinds:
            kind(self.gateway, self.seed)

    def _start(self):
        work = [("streams", self._streams)] + [(f"sender {number}", self._send) for number in range(4)]
        work += [
            (kind.__name__, lambda kind=kind, often=often: self._visit(kind, often))
            for kind, often in self.kinds.items()
        ]
        workers = [threading.Thread(target=self._guarded, args=each, name=each[0], daemon=True) for each in work]
        for worker in workers:
            worker.start()
        return workers

    def _guarded(self, name, work):
        """A fault is noted, and the work goes on: the long run is not lost by it."""
        while not self.stopping.is_set():
            try:
                work()
            except Exception as fault:
                self.faults.append(f"{name}: {fault!r}")
                self.stopping.wait(1)

    def _paced(self, rate):
        """Yields `rate` times a second; what was late is not made up for."""
        due = time.monotonic()
        while not self.stopping.is_set():
            yield
            due = max(due + 1 / rate, time.monotonic() - 1)
            self.stopping.wait(max(0.0, due - time.monotonic()))

    def _send(self):
        client = self.gateway.client()
        for _ in self._paced(self.rate / 4):
            number = self.seed.randrange(len(self.chats))
            chat, thread = self.chats[number], self.threads[number]
            side = f"/v1/desk/threads/{thread}/messages" if self.done["sent"] % 3 == 2 else chat.messages_path(thread)
            answer = client.call("POST", side, {"text": "s" * self.seed.randrange(1, 400)})
            # The desk sees a thread from its first message on.
            assert answer.status == 201 or (answer.status == 404 and "desk" in side), answer
            self.done["sent"] += 1
        client.close()

    def _visit(self, kind, often):
        for _ in self._paced(often):
            kind(self.gateway, self.seed)
            self.done[kind.__name__] += 1

    # -- streams

    def _streams(self):
        crowd = Crowd(self._take)
        try:
            self._turn_over(crowd)
        finally:
            crowd.close()

    def _turn_over(self, crowd):
        due = time.monotonic()
        while not self.stopping.is_set():
            now = time.monotonic()
            missing = self.count - len(crowd.members)
            if now >= due:
                due = now + 0.1
                for member in [each for each in crowd.members if each.is_gone]:
                    self.done["streams gone"] += 1
                    crowd.remove(member)
                leaving = min(len(crowd.members), round(self.count * TURNOVER / 10))
                for member in self.seed.sample(crowd.members, leaving if missing <= 0 else 0):
                    crowd.remove(member)
                for _ in range(min(50, self.count - len(crowd.members))):
                    self._open(crowd)
            crowd.read("", lambda: time.monotonic() >= due, deadline=30)

    def _open(self, crowd):
        chance, chat = self.seed.random(), self.seed.choice(self.chats)
        path, token = (f"{chat.path}/events", chat.token) if chance > 0.003 else ("/v1/desk/events", self.gateway.token)
        if 0.5 < chance:  # some come back, and are told what they missed
            path += f"?after={self.cursor}" if (self.cursor and chance < 0.8) else "?types=message.created,typing"
        crowd.add(connect(self.gateway.host, self.gateway.port, path, token)).last = 0
        self.done["streams"] += 1

    cursor = None

    def _take(self, member, event):
        self.done["events"] += 1
        if event.name == "reset":
            self.done["resets"] += 1
        elif event.id:
            if event.offset <= member.last:
                raise AssertionError(f"{event} came after {member.last}")
            member.last = event.offset
            if self.done["events"] % 5000 == 0:
                self.cursor = event.id

    def summary(self):
        return ", ".join(f"{name} {count}" for name, count in self.done.items())
