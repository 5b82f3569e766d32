"""kill -9 in the middle of sends: what was acknowledged is there once, and streams go on where they were."""

import os
import threading
import time
import uuid

from serving import Chat, Gateway, Gone, in_threads
from streams import Stream

ROUNDS = int(os.environ.get("PARLEY_KILL_ROUNDS", "20"))


class Follower:
    """Reads a stream for the length of the test, and resumes it by its last id after every kill."""

    def __init__(self, path, token=None):
        self.path, self.token = path, token
        self.last_id = None
        self.events = []  # (offset, thread, message)
        self.ids = set()
        self.faults = []
        self._changed = threading.Condition()

    def follow(self, gateway):
        self._stream = Stream(gateway, self.path, self.token, last_id=self.last_id)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        try:
            while event := self._stream.next(deadline=120, ignoring=()):
                if event.id:
                    self._check_id(event)
                if event.name == "reset":
                    raise AssertionError(f"{self.path}: a cursor of before the kill is no longer valid: {event}")
                if event.name == "message.created":
                    message = event.json["message"]
                    with self._changed:
                        self.events.append((event.offset, message["threadId"], message))
                        self.ids.add(message["id"])
                        self._changed.notify_all()
        except BaseException as fault:
            with self._changed:
                self.faults.append(fault)
                self._changed.notify_all()

    def _check_id(self, event):
        is_logged = event.name not in ("ready", "ping", "reset")
        if self.last_id:
            epoch, _, offset = self.last_id.rpartition("-")
            assert event.id.rpartition("-")[0] == epoch, f"{self.path}: another epoch after the kill: {event}"
            assert event.offset >= int(offset) + is_logged, f"{self.path}: {event} came after {self.last_id}"
        self.last_id = event.id

    def joined(self):
        """After a kill: the stream has broken off, and everything that came was taken."""
        self._thread.join(30)
        assert not self._thread.is_alive(), f"{self.path} still stands after the gateway is dead"
        self._stream.close()
        self.check()

    def check(self):
        if self.faults:
            raise self.faults[0]

    def wait(self, ids, deadline=30):
        with self._changed:
            done = self._changed.wait_for(lambda: self.faults or ids <= self.ids, deadline)
        self.check()
        assert done, f"{self.path} lacks {len(ids - self.ids)} messages {deadline} s after the last send"


class Senders:
    """Concurrent senders on both sides of one thread, until the gateway is dead."""

    def __init__(self, gateway, chat, thread, count):
        self.acknowledged, self.unknown, self.texts = {}, {}, {}
        self.first = threading.Event()
        self._mutex = threading.Lock()
        self._gateway, self._chat, self._thread = gateway, chat, thread
        self.join = in_threads(self._send, range(count))

    def _send(self, number):
        is_desk = number % 2 == 1
        path = f"/v1/desk/threads/{self._thread}/messages" if is_desk else self._chat.messages_path(self._thread)
        client = self._gateway.client(self._gateway.token if is_desk else self._chat.token)
        count = 0
        while True:
            id, text = str(uuid.uuid4()), f"sender {number}, message {count}, " + "x" * (count * 97 % 700)
            self.texts[id] = text
            count += 1
            try:
                answer = client.call("POST", path, {"id": id, "text": text})
            except Gone:
                with self._mutex:
                    self.unknown[id] = path
                return
            assert answer.status == 201, answer
            with self._mutex:
                self.acknowledged[id] = answer.json
            self.first.set()


def test_kill_while_sending(seed):
    gateway = Gateway()
    acknowledged_in_all = uncertain = found_of_uncertain = 0
    try:
        gateway.start()
        chat = Chat(gateway)
        token, epoch = gateway.token, gateway.get("/v1/info")["epoch"]
        own, desk = Follower(f"{chat.path}/events", chat.token), Follower("/v1/desk/events")
        own.follow(gateway)
        desk.follow(gateway)
        expected = {}  # thread: ids in order
        for round in range(ROUNDS):
            thread = chat.thread()
            opening = chat.say(thread, "The desk sees a thread from its first message on.")
            senders = Senders(gateway, chat, thread, seed.randint(8, 16))
            assert senders.first.wait(30)
            time.sleep(seed.random() ** 2 * 0.8)  # the moment is the point
            gateway.kill()
            senders.join()
            own.joined()
            desk.joined()

            gateway.start()
            assert gateway.token == token and gateway.get("/v1/info")["epoch"] == epoch
            own.follow(gateway)
            desk.follow(gateway)
            texts = {**senders.texts, opening["id"]: opening["text"]}
            acknowledged = {**senders.acknowledged, opening["id"]: opening}
            before = chat.history(thread)  # with the session's token of before the kill
            stored = [message["id"] for message in before]
            assert len(stored) == len(set(stored)), "a message is there twice"
            assert not acknowledged.keys() - set(stored), f"round {round}: acknowledged messages are lost"
            assert set(stored) <= acknowledged.keys() | senders.unknown.keys(), f"round {round}: an invented message"
            for message in before:
                assert message["text"] == texts[message["id"]]
                if message["id"] in acknowledged:
                    assert message["createdAt"] == acknowledged[message["id"]]["createdAt"]

            # What was not acknowledged may be sent again.
            for id, path in senders.unknown.items():
                side = gateway.token if path.startswith("/v1/desk") else chat.token
                answer = gateway.post(path, {"id": id, "text": texts[id]}, token=side)
                assert answer.status == (200 if id in stored else 201), answer
            after = chat.history(thread)
            assert [message["id"] for message in after][: len(stored)] == stored
            assert {message["id"] for message in after} == acknowledged.keys() | senders.unknown.keys()
            assert [message["createdAt"] for message in after] == sorted(message["createdAt"] for message in after)
            expected[thread] = [message["id"] for message in after]
            for follower in (own, desk):
                follower.wait(set(expected[thread]))
                seen = [message["id"] for _, where, message in follower.events if where == thread]
                assert seen == expected[thread], f"round {round}: {follower.path} saw another order, or a message twice"
            acknowledged_in_all += len(acknowledged)
            uncertain += len(senders.unknown)
            found_of_uncertain += len(senders.unknown.keys() & set(stored))

        # A kill must not have undone anything of an earlier round.
        for thread, ids in expected.items():
            assert [message["id"] for message in chat.history(thread)] == ids
        for follower in (own, desk):
            offsets = [offset for offset, _, _ in follower.events]
            assert all(one < two for one, two in zip(offsets, offsets[1:])), "ids do not grow across kills"
        print(f"{ROUNDS} kills: {acknowledged_in_all} acknowledged, {uncertain} unanswered, {found_of_uncertain} of these were stored")
    finally:
        gateway.close()
