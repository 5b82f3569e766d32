"""Clients that change things until they are stopped or the gateway is gone, and write down what they were told."""

import contextlib
import hashlib
import random
import threading
import time
import uuid

from campaign.journal import ABSENT, REMOVED
from serving import Gone

#: Answers to a well-formed request: what a gateway says that works, that has no room, that ends, that waits for others.
STATUSES = {200, 201, 204, 409, 429, 500, 502, 503, 504, 507}


class Customer:
    """A session with threads of its own. One worker changes them, so that the order of the changes is known."""

    def __init__(self, gateway, journal, number, channel="multi"):
        self.journal = journal
        made = gateway.post(
            "/v1/sessions", {"channel": channel, "customer": {"id": f"customer-{number}", "firstName": "Ann"}}
        )
        assert made.status == 201, made
        self.id, self.token, self.path = made["id"], made["token"], f"/v1/sessions/{made['id']}"
        self.account = f"customer-{number}"
        journal.sessions[self.id] = self
        self.threads = []

    def new_thread(self, gateway):
        thread = gateway.post(f"{self.path}/threads", {"name": "first name"}, token=self.token)
        assert thread.status == 201, thread
        self.threads.append(thread["id"])
        key, text = ("message", thread["id"], str(uuid.uuid4())), self.journal.text("opening")
        self.journal.began(key, text)
        opening = gateway.post(
            f"{self.path}/threads/{thread['id']}/messages", {"id": key[2], "text": text}, token=self.token
        )
        assert opening.status == 201, opening
        self.journal.answered(key, text, 201)
        self.journal.entry(("name", thread["id"]), "first name")
        return thread["id"]


class Worker:
    """One customer's hand, or the desk's in that customer's threads."""

    def __init__(self, gateway, customer, seed, is_desk=False, files=True, pause=0.0):
        self.gateway, self.customer, self.journal, self.seed = gateway, customer, customer.journal, seed
        self.base = "/v1/desk" if is_desk else customer.path
        self.is_desk, self.files, self.pause = is_desk, files, pause
        self.client = gateway.client(gateway.token if is_desk else customer.token)
        self.own = {}  # the messages that this worker changes, by key: nobody else does
        self.answers, self.slowest, self.is_gone = {}, 0.0, False

    def change(self, key, after, method, path, body=None, before=ABSENT, **more):
        """One change: noted, asked for, and what came of it noted as well."""
        self.journal.began(key, after, before)
        start = time.monotonic()
        try:
            answer = self.client.call(method, path, body, **more)
        except Gone:
            self.journal.not_answered(key)
            self.is_gone = True
            raise
        finally:
            self.slowest = max(self.slowest, time.monotonic() - start)
        assert answer.status in STATUSES, (method, path, answer)
        self.answers[answer.status, answer.code] = self.answers.get((answer.status, answer.code), 0) + 1
        self.journal.answered(key, after, answer.status)
        return answer

    def run(self, stopping):
        with contextlib.suppress(Gone):
            while not stopping.is_set():
                self.step()
                if self.pause:
                    stopping.wait(self.pause * self.seed.random())
        self.client.close()

    def step(self):
        chance, thread = self.seed.random(), self.seed.choice(self.customer.threads)
        own = [key for key in self.own if key[1] == thread]
        if chance < 0.5 or not own:
            self.send(thread)
        elif chance < 0.65:
            self.edit(self.seed.choice(own))
        elif chance < 0.78:
            self.remove(self.seed.choice(own))
        elif chance < 0.86:
            self.send(thread, parent=self.seed.choice(own)[2])
        elif self.is_desk:
            self.read(thread)
        elif chance < 0.90 and self.files:
            self.upload(thread)
        elif chance < 0.95:
            self.field(thread)
        elif chance < 0.97:
            self.rename(thread)
        else:
            self.read(thread)

    def send(self, thread, parent=None, attachment=None):
        key, text = ("message", thread, str(uuid.uuid4())), self.journal.text("x" * self.seed.randrange(0, 900))
        body = {"id": key[2], "text": text}
        headers = None
        if self.seed.random() < 0.3 and not self.is_desk:
            headers = {"Idempotency-Key": key[2]}
            self.journal.keyed[key] = (self.customer, body)
        if parent:
            body |= {"parentId": parent, "alsoInThread": self.seed.random() < 0.5}
            self.own.pop(("message", thread, parent), None)  # what has replies is not removed
        if attachment:
            body["attachments"] = [{"id": attachment}]
        entry = self.journal.entry(key)
        entry.parent, entry.attachment = parent, attachment
        answer = self.change(key, text, "POST", f"{self.base}/threads/{thread}/messages", body, headers=headers)
        if answer.status == 201 and not parent and not attachment:
            self.own[key] = True

    def edit(self, key):
        text = self.journal.text("edited")
        self.change(key, text, "PATCH", f"{self.base}/threads/{key[1]}/messages/{key[2]}", {"text": text})

    def remove(self, key):
        self.own.pop(key)
        self.change(key, REMOVED, "DELETE", f"{self.base}/threads/{key[1]}/messages/{key[2]}")

    def upload(self, thread):
        data = self.seed.randbytes(self.seed.choice([1, 3000, 90_000, 700_000]))
        try:
            answer = self.client.call(
                "POST", f"{self.base}/attachments", raw=data, headers={"Content-Type": "application/octet-stream"}
            )
        except Gone:
            self.is_gone = True
            raise
        assert answer.status in STATUSES, answer
        if answer.status == 201:
            self.journal.entry(("file", answer["id"]), hashlib.sha256(data).hexdigest())
            self.send(thread, attachment=answer["id"])

    def field(self, thread):
        name, value = f"field{self.seed.randrange(20)}", uuid.uuid4().hex
        if self.seed.random() < 0.5:
            self.change(
                ("threadField", thread, name),
                value,
                "PUT",
                f"{self.base}/threads/{thread}/customFields",
                {"customFields": {name: value}},
            )
        else:
            self.change(
                ("customerField", self.customer.account, name),
                value,
                "PUT",
                f"{self.base}/customer/customFields",
                {"customFields": {name: value}},
            )

    def rename(self, thread):
        name = f"name {uuid.uuid4().hex}"
        self.change(("name", thread), name, "PATCH", f"{self.base}/threads/{thread}", {"name": name})

    def read(self, thread):
        self.client.call("POST", f"{self.base}/threads/{thread}/read")
        self.client.call("GET", f"{self.base}/threads/{thread}/messages?limit=5")


class Load:
    """Workers of both sides for each customer."""

    def __init__(self, gateway, customers, seed, **more):
        self.stopping, self.faults = threading.Event(), []
        self.workers = [
            Worker(gateway, customer, random.Random(seed.random()), is_desk, **more)
            for customer in customers
            for is_desk in (False, True)
        ]
        self._threads = [threading.Thread(target=self._run, args=(worker,), daemon=True) for worker in self.workers]
        for thread in self._threads:
            thread.start()

    def _run(self, worker):
        try:
            worker.run(self.stopping)
        except BaseException as fault:
            self.faults.append(fault)

    def join(self, deadline=60):
        """Stops, waits for the answers that are still to come, and passes on what a worker found."""
        self.stopping.set()
        for thread in self._threads:
            thread.join(deadline)
            assert not thread.is_alive(), "a request is not answered"
        if self.faults:
            raise self.faults[0]

    @property
    def answers(self):
        found = {}
        for worker in self.workers:
            for answer, count in worker.answers.items():
                found[answer] = found.get(answer, 0) + count
        return found
