"""Clients that follow: they build what a client would show from events alone, and resume after every break."""

import threading

from campaign.journal import REMOVED
from collection_follower import CollectionFollower
from streams import Stream


class Follower:
    """Reads a stream and resumes it by its last id. `messages` is what its client would show."""

    def __init__(self, path, token, last_id=None):
        self.path, self.token, self.last_id = path, token, last_id
        self.messages, self.faults = {}, []
        self._changed = threading.Condition()
        self._stream = self._thread = None

    def follow(self, gateway):
        self._stream = Stream(gateway, self.path, self.token, last_id=self.last_id)
        self._thread = threading.Thread(target=self._read, args=(self._stream,), daemon=True)
        self._thread.start()

    def _read(self, stream):
        try:
            while event := stream.next(deadline=300, ignoring=()):
                with self._changed:
                    self._take(event)
                    self._changed.notify_all()
        except BaseException as fault:
            if stream is self._stream:
                with self._changed:
                    self.faults.append(fault)
                    self._changed.notify_all()

    def _take(self, event):
        assert event.name != "reset", f"{self.path}: a valid cursor was refused: {event} after {self.last_id}"
        if event.id:
            if self.last_id:
                epoch, _, offset = self.last_id.rpartition("-")
                is_logged = event.name not in ("ready", "ping")
                assert event.id.rpartition("-")[0] == epoch, f"{self.path}: another epoch: {event} after {self.last_id}"
                assert event.offset >= int(offset) + is_logged, f"{self.path}: {event} came after {self.last_id}"
            self.last_id = event.id
        if event.name in ("message.created", "message.updated"):
            message = event.json["message"]
            key = (message["threadId"], message["id"])
            is_new = event.name == "message.created"
            assert is_new == (key not in self.messages), f"{self.path}: {event} though {self.messages.get(key)}"
            self.messages[key] = message.get("text")
        elif event.name == "message.removed":
            self.messages[event.json["threadId"], event.json["messageId"]] = REMOVED

    def broken(self):
        """The gateway is gone: everything that came was taken."""
        self._thread.join(60)
        assert not self._thread.is_alive(), f"{self.path} still stands after the gateway is gone"
        self._stream.close()
        self.check()

    def check(self):
        if self.faults:
            raise self.faults[0]

    def wait(self, keys, deadline=30):
        with self._changed:
            done = self._changed.wait_for(lambda: self.faults or keys <= self.messages.keys(), deadline)
        self.check()
        assert done, f"{self.path} lacks {keys - self.messages.keys()} {deadline} s after they were sent"

    def close(self):
        stream, self._stream = self._stream, None
        if stream:
            stream.close()


class FollowedCollection:
    """A collection that a client follows through everything, by its events and by the snapshots it is told to take."""

    def __init__(self, gateway, session, definition):
        made = gateway.post(f"{session.path}/collections", definition, token=session.token)
        assert made.status == 201, made
        self.id = made["id"]
        self._follower = CollectionFollower(gateway, session, self.id)
        self._direction = "next" if definition["kind"] == "threads" else "previous"

    def compare(self):
        """Nothing changes now: the client comes to what the gateway shows."""
        follower = self._follower
        answer = follower.gateway.post(
            f"{follower.path}/fetch", {"direction": self._direction}, token=follower.session.token
        )
        assert answer.status == 200 or answer.code == "fetchInProgress", answer
        follower.connect()
        while follower.step() != "ready":
            pass
        shown = follower.get()
        while follower.version < shown["version"]:
            assert follower.step(), "the collection's stream ended"
        shown = follower.get()
        if follower.version == shown["version"]:
            assert follower.items == shown["items"], f"collection {self.id}, version {shown['version']}"
        follower.close()
