"""Clients that follow: a replica built from a stream's events alone, and collections."""

import select
import time
import urllib.parse

from collection_follower import CollectionFollower
from streams import Stream

from .answers import Mismatch, same

PATIENCE = 20.0


def quoted(id):
    return urllib.parse.quote(id, safe="")


class Replica:
    """What one reader of a stream knows. It applies each event once, in order; one that does not fit is a fault."""

    def __init__(self, run, account=None, cursor=None):
        self.run, self.account = run, account
        self.first = self.cursor = cursor
        self.threads = {}  # key: thread's JSON
        self.messages = {}  # key: {id: JSON}, in order
        self.loaded = {}  # key: offset up to which the messages were loaded
        self.stream = None
        self.events = 0

    def __repr__(self):
        return f"the stream of {self.account or 'the desk'}"

    @property
    def path(self):
        return "/v1/desk" if self.account is None else self.account.sessions[0].path

    def thread_path(self, key):
        if self.account is None:
            return f"/v1/desk/threads/{quoted(key[0])}", f"channel={key[1]}&customer={quoted(key[2])}"
        return f"{self.path}/threads/{quoted(key)}", ""

    def connect(self):
        self.close()
        self.stream = Stream(self.run.gateway, f"{self.path}/events", last_id=self.cursor)

    def close(self):
        if self.stream:
            self.stream.close()
            self.stream = None

    # -- reading

    def catch_up(self, offset):
        """Reads until the stream has told everything up to this offset of the log. It may stand still only for so long."""
        end = time.monotonic() + PATIENCE
        while int(self.cursor.rpartition("-")[2]) < offset:
            left = end - time.monotonic()
            if left <= 0:
                raise Mismatch(f"{self} stands at {self.cursor} and does not come to {offset}")
            if not self.stream:
                self.connect()
            try:
                event = self.stream.next(min(left, 1.0), ignoring=())
            except AssertionError:
                continue  # nothing within this second
            if event is None:
                self.stream = None  # it was cut: the next one resumes
            else:
                self.take(event)
                if event.id:
                    end = time.monotonic() + PATIENCE

    def drain(self):
        """Takes what is there without waiting."""
        while self.stream and (self.stream._events or select.select([self.stream.socket], [], [], 0)[0]):
            try:
                event = self.stream.next(0.05, ignoring=())
            except AssertionError:
                return
            if event is None:
                self.stream = None
            else:
                self.take(event)

    def take(self, event):
        if event.name == "reset":
            raise Mismatch(f"{self}: a cursor that is kept was refused: {event}")
        if event.id:
            before = int(self.cursor.rpartition("-")[2])
            is_logged = event.name not in ("ready", "ping")
            if event.offset < before + is_logged or event.id.rpartition("-")[0] != self.cursor.rpartition("-")[0]:
                raise Mismatch(f"{self}: {event} came after {self.cursor}")
            self.cursor = event.id
        if event.name in HANDLERS and event.id:
            self.events += 1
            data = event.json
            try:
                HANDLERS[event.name](self, self.key(data), data, event.offset)
            except (KeyError, AssertionError) as fault:
                raise Mismatch(f"{self}: {event} does not fit what was told before: {fault!r}") from fault

    def key(self, data):
        thread = data.get("thread", {})
        id = data["threadId"] if "threadId" in data else thread["id"]
        if self.account is not None:
            return id
        owner = thread if "thread" in data else data
        return (id, owner["channel"], owner["customer"]["id"])

    # -- events

    def created(self, key, data, offset):
        thread = data["thread"]
        assert key not in self.threads, "the thread is there"
        self.threads[key], self.messages[key] = thread, {}
        if thread["updatedAt"] != thread["createdAt"] or "lastMessage" in thread:
            self.load(key)

    def load(self, key):
        """Who comes into a thread that has messages reads them once, and follows from there."""
        path, query = self.thread_path(key)
        found, cursor = self.run.pages(f"{path}/messages?replies=all&limit=200&{query}", missing=([], None))
        self.messages[key] = {each["id"]: each for each in reversed(found)}
        self.loaded[key] = int(cursor.rpartition("-")[2]) if cursor else self.run.head()

    def updated(self, key, data, offset):
        if key not in self.threads:
            # It was created with a last message that was removed since: that event left the log with the text.
            self.run.counts["thread that was first heard of as updated"] += 1
            self.threads[key] = data["thread"]
            return self.load(key)
        self.threads[key] = data["thread"]
        line = data["thread"].get("historyResetAt")
        if line:
            self.messages[key] = {id: each for id, each in self.messages[key].items() if each["createdAt"] > line}

    def removed(self, key, data, offset):
        self.threads.pop(key, None)
        self.messages.pop(key, None)
        self.loaded.pop(key, None)

    def was_removed(self, key, id):
        """What an event about a removed message means to who comes later: its creation has left the log."""
        world = self.run.world
        assert any(
            id in thread.gone for thread in world.threads + world.removed_threads if key in (thread.id, thread.key)
        ), "no such message"

    def message_created(self, key, data, offset):
        if offset > self.loaded.get(key, 0):
            assert data["message"]["id"] not in self.messages[key], "the message is there"
            self.messages[key][data["message"]["id"]] = data["message"]

    def message_updated(self, key, data, offset):
        if offset > self.loaded.get(key, 0):
            assert data["message"]["id"] in self.messages[key], "no such message"
            self.messages[key][data["message"]["id"]] = data["message"]

    def message_removed(self, key, data, offset):
        if offset > self.loaded.get(key, 0) and self.messages[key].pop(data["messageId"], None) is None:
            self.was_removed(key, data["messageId"])

    def thread_info(self, key, data, offset):
        if offset <= self.loaded.get(key, 0):
            return
        if data["parentId"] in self.messages[key]:
            self.messages[key][data["parentId"]]["replyInfo"] = data["replyInfo"]
        else:
            self.was_removed(key, data["parentId"])


HANDLERS = {
    "thread.created": Replica.created,
    "thread.updated": Replica.updated,
    "thread.removed": Replica.removed,
    "message.created": Replica.message_created,
    "message.updated": Replica.message_updated,
    "message.removed": Replica.message_removed,
    "thread.info": Replica.thread_info,
}


class Owner:
    """Who owns a collection, as `CollectionFollower` wants it."""

    def __init__(self, path, token):
        self.path, self.token = path, token


class Window(CollectionFollower):
    """A collection that is followed, and what it shows: a thread's messages, the replies to one, or threads."""

    def __init__(self, run, session, id, definition):
        owner = Owner(session.path, session.token) if session else Owner("/v1/desk", run.gateway.token)
        super().__init__(run.gateway, owner, id)
        self.name_of_it = f"{session and session.name_of_it} {sorted(definition.items(), key=str)}"
        self.run, self.owner_session, self.id, self.definition = run, session, id, definition

    def follow(self):
        """Follows up to where the collection is, and holds the two against one another."""
        end = time.monotonic() + PATIENCE
        while True:
            if not self.stream:
                self.connect()
                while (name := self.step()) != "ready":
                    assert name, "the collection's stream ended before it was ready"
            shown = self.get()
            while (self.incarnation, self.version) != (shown["incarnation"], shown["version"]):
                if self.incarnation == shown["incarnation"] and self.version > shown["version"]:
                    break
                try:
                    if self.step(max(0.1, end - time.monotonic())) is None:
                        self.close()
                        break
                except AssertionError as fault:
                    raise Mismatch(
                        f"collection {self.definition}, at {self.version} of {shown['version']}: {fault}"
                    ) from fault
            else:
                same(f"collection {self.definition} that follows its events", self.items, shown["items"])
                return shown
            if time.monotonic() > end:
                raise Mismatch(
                    f"collection {self.definition} is at {self.version} and its snapshot at {shown['version']}"
                )
