"""A webhook with random settings, and which events it is to get by them."""

from deliveries.mood import Mood
from webhook_receiver import Hook, Receiver

TYPES = ["message.created", "message.updated", "message.removed", "thread.created", "thread.updated"]


class Target:
    """A webhook, its receiver, and the receiver's mood."""

    def __init__(self, gateway, seed, customers, channels):
        self.timeout = seed.choice([2, 15])
        self.mood = Mood(seed, self.timeout if self.timeout == 2 else 1)
        self.receiver = Receiver(self.mood)
        self.customer = seed.choice(customers) if seed.random() < 0.3 else None
        self.concurrency = seed.choice([1, 2, 8, 8, 16])
        self.types = seed.sample(TYPES, seed.randrange(1, 5)) if seed.random() < 0.3 else None
        self.directions = [seed.choice(["toAgent", "toClient"])] if seed.random() < 0.3 else None
        # An event of a session's audience names no channel, but has one.
        self.channels = [seed.choice(channels)] if seed.random() < 0.3 and not self.customer else None
        body = {"concurrency": self.concurrency, "timeoutSeconds": self.timeout, "after": None}
        body["audience"] = {"session": self.customer.id} if self.customer else {"desk": True}
        body |= {"types": self.types, "directions": self.directions, "channels": self.channels}
        info = gateway.get("/v1/info").json
        body["after"] = f"{info['epoch']}-0" if seed.random() < 0.5 else f"{info['epoch']}-{info['head']}"
        self.start = int(body["after"].rpartition("-")[2])
        self.hook = Hook(gateway, self.receiver, **{name: value for name, value in body.items() if value is not None})

    @property
    def stream(self):
        """The path and the token of the stream that carries the same events; no token is the gateway's."""
        return (f"{self.customer.path}/events", self.customer.token) if self.customer else ("/v1/desk/events", None)

    def wants(self, event):
        """By the words of the interface's description, not by the gateway's code."""
        data = event.json
        if event.offset is None or event.offset <= self.start:
            return False
        if self.types is not None and event.name not in self.types:
            return False
        if self.directions is not None and event.name in ("message.created", "message.updated"):
            if data["message"]["direction"] not in self.directions:
                return False
        channel = data["channel"] if "channel" in data else data.get("thread", {}).get("channel")
        return self.channels is None or channel in self.channels

    def heal(self):
        self.mood.is_healed = True
        if not self.receiver.is_up:
            self.receiver.up()

    def __repr__(self):
        who = "session" if self.customer else "desk"
        return f"<{self.hook.id} of {who}, {self.concurrency} at once, {self.types} {self.directions} {self.channels}>"
