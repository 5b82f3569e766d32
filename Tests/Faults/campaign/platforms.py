"""Two gateways: sessions at the near one, and their platform, the sandbox of the far one, which goes wrong."""

import collections
import os
import pathlib
import threading
import time

from campaign.checker import open_database
from serving import Gateway, Gone, until

#: Of an answer that needs the platform, and a little for a machine that is busy.
PATIENCE = 13.0
#: Until sessions are back after an outage of some seconds, and both sides have the same.
RECOVERY = 90.0


class Customer:
    """A session at the near gateway; its customer and the platform's agent both write."""

    def __init__(self, world, number):
        self.world, self.number = world, number
        sandbox = world.far.get("/v1/info")["sandbox"]
        place = next(
            each["id"]
            for each in sandbox["channels"]
            if (each["channel"], each["authorization"]) == ("multi", "anonymous")
        )
        made = world.near.post(
            "/v1/sessions",
            {
                "service": "cxone",
                "brandId": sandbox["brandId"],
                "channelId": place,
                "resend": {"policy": "automatic"},
                "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]},
            },
        )
        assert made.status == 201 and made["state"] == "ready", made
        self.path = f"/v1/sessions/{made['id']}"
        thread = world.near.post(f"{self.path}/threads")
        assert thread.status == 201, thread
        self.thread = thread["id"]
        self.sent, self.refused, self.unsure, self.slowest = [], [], [], 0.0
        self.say("opening")

    def say(self, text):
        start = time.monotonic()
        try:
            answer = self.world.near.post(f"{self.path}/threads/{self.thread}/messages", {"text": text})
        except Gone:
            return self.unsure.append(text)
        finally:
            self.slowest = max(self.slowest, time.monotonic() - start)
        assert answer.status in (201, 409, 422, 429, 502, 503, 504), answer
        (self.sent if answer.status == 201 else self.refused).append(text)

    def answer(self, text):
        """The agent writes; while the platform is away nobody does."""
        try:
            answer = self.world.agent().post(f"/v1/desk/threads/{self.thread}/messages", {"text": text})
        except (Gone, OSError):
            return self.unsure.append(text)
        if answer.status == 201:
            self.sent.append(text)

    def texts(self, gateway, path):
        found, cursor = [], ""
        while True:
            page = gateway.get(f"{path}/threads/{self.thread}/messages?limit=200{cursor}")
            assert page.status == 200, page
            found += [each.get("text") for each in page["items"]]
            if "next" not in page.json:
                return sorted(found)
            cursor = "&cursor=" + page["next"]

    def is_whole(self):
        here, there = self.texts(self.world.near, self.path), self.texts(self.world.far, "/v1/desk")
        self.last = (here, there)
        return here == there and set(self.sent) <= set(here)

    def is_ready(self):
        return self.world.near.get(self.path)["state"] == "ready"


class Platforms:
    """The world of a round with a platform."""

    def __init__(self, folder, seed):
        self.folder, self.seed, self.counts = pathlib.Path(folder), seed, collections.Counter()
        self.far = Gateway(self.folder / "far", ["--cxone-sandbox"])
        self.near = Gateway(self.folder / "near")
        self.customers = []
        for name, gateway in (("far", self.far), ("near", self.near)):
            gateway.log_file = self.folder / f"{name}.log"
            (self.folder / name).mkdir(parents=True)
            gateway.start()
            gateway.listen = f"127.0.0.1:{gateway.port}"
        self.customers = [Customer(self, number) for number in range(seed.randrange(1, 4))]

    def agent(self):
        return self.far

    def talk(self, seconds):
        """All customers and the agent write for a while; returns a function that waits for them."""
        end, faults = time.monotonic() + seconds, []

        def write(customer):
            try:
                count = 0
                while time.monotonic() < end:
                    count += 1
                    mark = os.urandom(4).hex()
                    customer.say(f"customer {mark}")
                    customer.answer(f"agent {mark}")
                    time.sleep(0.05)
            except BaseException as fault:
                faults.append(fault)

        threads = [threading.Thread(target=write, args=(customer,), daemon=True) for customer in self.customers]
        for thread in threads:
            thread.start()

        def join():
            for thread in threads:
                thread.join(seconds + 60)
                assert not thread.is_alive(), "a request is not answered"
            if faults:
                raise faults[0]

        return join

    def check(self):
        """Sessions are back by themselves; both sides have the same, nothing is lost or doubled."""
        for customer in self.customers:
            until("a session to be back", customer.is_ready, RECOVERY, every=0.25)
            try:
                until("both sides to have the same", customer.is_whole, RECOVERY, every=0.25)
            except AssertionError as fault:
                here, there = customer.last
                raise AssertionError(
                    f"{fault}: only near {set(here) - set(there)}, only far {set(there) - set(here)}, "
                    f"lost {set(customer.sent) - set(here)}"
                ) from None
            here, _ = customer.last
            assert len(here) == len(set(here)), f"twice: {[text for text in here if here.count(text) > 1]}"
            invented = set(here) - set(customer.sent) - set(customer.unsure) - set(customer.refused)
            assert not invented, f"nobody sent {invented}"
            assert customer.slowest < PATIENCE, f"an answer took {customer.slowest:.1f} s"
        self.check_rows()

    def check_rows(self):
        for gateway in (self.far, self.near):
            database = open_database(gateway.folder)
            assert [row[0] for row in database.execute("PRAGMA integrity_check")] == ["ok"]
            database.close()

    def tally(self):
        return {
            "acknowledged": sum(len(customer.sent) for customer in self.customers),
            "refused": sum(len(customer.refused) for customer in self.customers),
            "unanswered": sum(len(customer.unsure) for customer in self.customers),
            **self.counts,
        }

    def keep(self, fault):
        (self.folder / "fault.txt").write_text(fault)

    def close(self):
        self.near.close()
        if self.far.process.poll() is None:
            self.far.signal(18)
        self.far.close()


def platform(world):
    """The platform is killed, stopped or replaced by one that knows nobody; or the near gateway is killed."""
    for _ in range(world.seed.randrange(1, 3)):
        how = world.seed.choice(["killed", "stopped", "near killed"])
        world.counts[f"platform {how}"] += 1
        outage = world.seed.choice([0.2, 1.0, 4.0, 12.0])
        join = world.talk(outage + 2)
        time.sleep(world.seed.random())
        if how == "killed":
            world.far.kill()
            time.sleep(outage)
            world.far.start()
        elif how == "stopped":
            world.far.signal(19)
            time.sleep(outage)
            world.far.signal(18)
        else:
            world.near.kill()
            world.near.start()
        join()
        world.check()
    if world.seed.random() < 0.4:
        replaced(world)


def replaced(world):
    """Another platform, which knows nobody, at the same place: what the near gateway has stays readable."""
    world.counts["platform replaced"] += 1
    before = {customer: customer.texts(world.near, customer.path) for customer in world.customers}
    world.far.kill()
    world.far.folder.rename(world.folder / "replaced")
    world.far.start()
    join = world.talk(3)
    join()
    for customer in world.customers:
        after = customer.texts(world.near, customer.path)
        assert set(before[customer]) <= set(after), f"lost: {set(before[customer]) - set(after)}"
        assert world.near.get(customer.path).status == 200
        assert customer.slowest < PATIENCE, f"an answer took {customer.slowest:.1f} s"
    Customer(world, len(world.customers))  # somebody new is served
    world.check_rows()
