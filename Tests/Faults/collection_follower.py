"""A client of one collection: an array that follows its events, and takes the snapshot when it is told to."""

from streams import Stream


class Desk:
    """The desk, as an owner of collections."""

    path = "/v1/desk"

    def __init__(self, gateway):
        self.token = gateway.token


def key(item):
    """What tells an item from the others: at the desk an id may name threads of two customers."""
    return (item["id"], item.get("channel"), item.get("customer", {}).get("id"))


class CollectionFollower:
    """Applies events one by one. Nothing is compared or repaired here: an event that cannot be applied is a fault."""

    def __init__(self, gateway, session, id):
        self.gateway, self.session = gateway, session
        self.path = f"{session.path}/collections/{id}"
        self.incarnation, self.version = None, 0
        self.lists = {"succeeded": [], "pending": [], "failed": []}
        self.stream = None
        #: How often it had to begin anew from a snapshot.
        self.snapshots = 0

    @property
    def items(self):
        return self.lists["succeeded"]

    @property
    def cursor(self):
        return f"{self.incarnation}-{self.version}" if self.incarnation else None

    def connect(self):
        self.close()
        self.stream = Stream(self.gateway, f"{self.path}/events", self.session.token, last_id=self.cursor)

    def close(self):
        if self.stream:
            self.stream.close()
            self.stream = None

    def get(self):
        """The collection as the gateway shows it."""
        answer = self.gateway.get(self.path, token=self.session.token)
        assert answer.status == 200, answer
        return answer.json

    def snapshot(self):
        found = self.get()
        self.snapshots += 1
        self.incarnation, self.version = found["incarnation"], found["version"]
        self.lists = {"succeeded": found["items"], "pending": found.get("pending", []), "failed": found.get("failed", [])}

    def step(self, deadline=30):
        """One event; its name, or None when the stream broke off."""
        event = self.stream.next(deadline)
        if event is None:
            return None
        if event.name == "reset":
            self.snapshot()
        elif event.name == "ready":
            self.incarnation = event.id.rpartition("-")[0]
            assert event.json["version"] == self.version, (event, self.version)
        else:
            self.apply(event)
        return event.name

    def apply(self, event):
        data = event.json
        incarnation, _, version = event.id.rpartition("-")
        assert data["version"] == int(version)
        if self.incarnation == incarnation and data["version"] <= self.version:
            return  # the snapshot had it already
        assert data["version"] == self.version + 1, (event, self.version)
        self.incarnation, self.version = incarnation, data["version"]
        items = self.lists.get(data.get("list"))
        ids = [key(item) for item in items or []]
        match event.name.removeprefix("collection."):
            case "insert":
                assert data["indices"] == sorted(data["indices"]) and len(data["indices"]) == len(data["items"])
                for index, item in zip(data["indices"], data["items"]):
                    assert 0 <= index <= len(items) and key(item) not in ids, event
                    items.insert(index, item)
            case "move":
                for index, item in zip(data["indices"], data["items"]):
                    items.pop(ids.index(key(item)))
                    items.insert(index, item)
            case "update":
                for item in data["items"]:
                    items[ids.index(key(item))] = item
            case "remove":
                owners = data.get("owners") or [{} for _ in data["ids"]]
                assert len(owners) == len(data["ids"])
                for id, owner in zip(data["ids"], owners):
                    gone = (id, owner.get("channel"), owner.get("customer"))
                    assert gone in ids, event
                    items[:] = [item for item in items if key(item) != gone]
            case "clear":
                self.lists = {"succeeded": [], "pending": [], "failed": []}
            case "new" | "hugeGap" | "parent":
                pass
            case other:
                raise AssertionError(f"an event that nobody knows: {other}")
