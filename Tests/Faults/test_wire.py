"""Parley against Parley over sockets, with whatever can go wrong between them: nothing is lost or doubled, and nobody hangs."""

import os
import random
import select
import threading
import time

import pytest
from serving import Gateway, in_threads, until
from streams import Parser, connect

SECONDS = float(os.environ.get("PARLEY_SECONDS", "60"))
#: Of an answer: 10 s, and a margin for a busy machine.
PATIENCE = 15.0
#: Bytes that a gateway may gain in the second half of the time, by caches that are not full yet.
GROWTH = 24 << 20
CODES = ["InconsistentData", "InternalServerError", "SendingMessageFailed"]


class Customer:
    """A session at the near gateway, whose messages the far one's agent answers."""

    def __init__(self, near, far, place, seed):
        self.near, self.far, self.seed, self.channel = near, far, random.Random(seed), place["channel"]
        sandbox = far.get("/v1/info")["sandbox"]
        answer = near.post("/v1/sessions", {
            "service": "cxone", "brandId": sandbox["brandId"], "channelId": place["id"], "resend": {"policy": "automatic"},
            "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]}})
        assert answer.status == 201 and answer["state"] == "ready", answer
        self.id, self.path = answer["id"], f"/v1/sessions/{answer['id']}"
        if answer["mode"] == "singlethread":
            self.thread = near.get(f"{self.path}/threads")["items"][0]["id"]
        else:
            made = near.post(f"{self.path}/threads")
            assert made.status == 201, made
            self.thread = made["id"]
        self.sent, self.refused, self.answered, self.slowest = [], [], [], 0.0
        self.told, self.seen = ["ready"], []

    def messages(self, gateway, path):
        found, cursor = [], ""
        while True:
            page = gateway.get(f"{path}/messages?limit=200{cursor}")
            assert page.status == 200, page
            found += page["items"]
            if "next" not in page.json:
                return found[::-1]
            cursor = "&cursor=" + page["next"]

    def here(self):
        return [(each["id"], each.get("text")) for each in self.messages(self.near, f"{self.path}/threads/{self.thread}")]

    def there(self):
        return [(each["id"], each.get("text")) for each in self.messages(self.far, f"/v1/desk/threads/{self.thread}")]

    def is_whole(self):
        """Whether both sides have the same, and nothing waits to be sent again."""
        return not self.missing()

    def missing(self):
        """What one side has and the other has not, and what was answered with 201 and is on neither."""
        here, there = set(self.here()), set(self.there())
        known = {text for _, text in here}
        lost = {"near alone": here - there, "far alone": there - here, "sent": set(self.sent) - known}
        return {name: found for name, found in lost.items() if found}

    def talk(self, end):
        near, far = self.near.client(deadline=PATIENCE + 5), self.far.client()
        count = 0
        while time.monotonic() < end:
            count += 1
            start = time.monotonic()
            text = f"customer {count}"
            answer = near.call("POST", f"{self.path}/threads/{self.thread}/messages", {"text": text})
            self.slowest = max(self.slowest, time.monotonic() - start)
            (self.sent if answer.status == 201 else self.refused).append(text)
            assert answer.status in (201, 409, 422, 502, 504), answer
            text = f"agent {count}"
            answer = far.call("POST", f"/v1/desk/threads/{self.thread}/messages", {"text": text})
            # Not before the thread's first message has arrived.
            if answer.status == 201:
                self.answered.append(text)
            else:
                assert answer.status == 404, answer
            state = near.call("GET", self.path)["state"]
            self.seen.append(state)
            if state == "prepared":
                near.call("POST", f"{self.path}/connect")
            time.sleep(self.seed.random() * 0.1)
        near.close()
        far.close()

    def follow(self, stopping):
        """Keeps the states that the session's stream tells."""
        link, parser = connect(self.near.host, self.near.port, f"{self.path}/events?types=chat.updated", self.near.token), Parser()
        while not stopping.is_set():
            if select.select([link], [], [], 0.2)[0]:
                data = link.recv(65536)
                assert data, "the stream ended"
                self.told += [event.json["state"] for event in parser.feed(data) if event.name == "chat.updated"]
        link.close()

    def check(self):
        for name, side in [("near", self.here()), ("far", self.there())]:
            texts = [text for _, text in side]
            assert len(set(texts)) == len(texts), (name, "twice", [text for text in texts if texts.count(text) > 1])
            assert not set(self.sent + self.answered) - set(texts), (name, "lost", set(self.sent + self.answered) - set(texts))
            assert not set(self.refused) & set(texts), (name, "refused, and there", set(self.refused) & set(texts))
        assert self.slowest < PATIENCE, f"an answer took {self.slowest:.1f} s"
        assert set(self.seen) <= set(self.told), (set(self.seen), set(self.told))


def go_wrong(far, chance, end):
    kinds = ["dropSocket", "delayAnswer", "loseAnswer", "duplicatePush", "reorderPush", "refuse", "expireToken"]
    client = far.client()
    while time.monotonic() < end:
        fault = {"kind": chance.choice(kinds)}
        if fault["kind"] == "delayAnswer":
            fault["milliseconds"] = chance.randrange(1, 12_000)
        if fault["kind"] == "refuse":
            fault["errorCode"] = chance.choice(CODES)
        if fault["kind"] not in ("dropSocket", "expireToken"):
            event = chance.choice([None, "SendMessage", "MessageCreated"])
            fault.update({"count": chance.randrange(1, 3)}, **({"event": event} if event else {}))
        answer = client.call("POST", "/v1/sandbox/faults", fault)
        assert answer.status == 201, answer
        time.sleep(chance.random() * 0.6)
    client.close()


@pytest.mark.slow
def test_whatever_goes_wrong_between_two_gateways(seed):
    with Gateway(arguments=["--cxone-sandbox"]) as far, Gateway() as near:
        places = far.get("/v1/info")["sandbox"]["channels"]
        chosen = [place for place in places if place["channel"] in ("multi", "single", "live")
                  and place.get("authorization", "anonymous") in ("anonymous", "secured")]
        assert len(chosen) == 6, places
        customers = [Customer(near, far, place, seed.random()) for place in chosen]
        stopping = threading.Event()
        followers = in_threads(lambda customer: customer.follow(stopping), customers)
        start = time.monotonic()
        end, half = start + SECONDS, start + SECONDS / 2
        talking = in_threads(lambda customer: customer.talk(end), customers)
        faults = in_threads(lambda far: go_wrong(far, seed, end), [far])
        time.sleep(max(0.0, half - time.monotonic()))
        before = {gateway: gateway.resident() for gateway in (near, far)}
        talking(SECONDS + PATIENCE + 30)
        faults()
        gained = {gateway: gateway.resident() - before[gateway] for gateway in (near, far)}

        # What was held back comes with the next connection.
        far.call("DELETE", "/v1/sandbox/faults")
        far.post("/v1/sandbox/faults", {"kind": "dropSocket"})
        for customer in customers:
            try:
                until("both sides to be one", customer.is_whole, deadline=120, every=0.25)
            except AssertionError:
                pytest.fail(f"{customer.channel} {customer.thread} is not whole: {customer.missing()} {customer.told[-3:]}")
            until("the state to be ready, there and on the stream",
                  lambda: customer.near.get(customer.path)["state"] == customer.told[-1] == "ready")
            customer.check()
        stopping.set()
        followers()
        count = sum(len(customer.sent) + len(customer.answered) for customer in customers)
        refused = sum(len(customer.refused) for customer in customers)
        print(f"{count} messages, {refused} refused, slowest {max(c.slowest for c in customers):.1f} s, gained {list(gained.values())}")
        assert count > 6 * SECONDS / 2
        assert refused < count / 4
        assert all("connecting" in customer.told for customer in customers)
        assert max(gained.values()) < GROWTH, gained
