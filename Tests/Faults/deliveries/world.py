"""What a round happens to: a gateway with customers and webhooks, and receivers that fail."""

import collections
import json
import pathlib
import time

from campaign.journal import Journal
from campaign.load import Customer, Load
from deliveries import checker
from deliveries.target import Target
from serving import Gateway, until
from streams import Stream

#: A gateway that is told to end has this long.
GRACE = 10
#: When receivers are well again, all is to arrive within this time.
RECOVERY = 40
CHANNELS = ["multi", "second"]


class Death:
    """The end of one process of the gateway, and what was recorded by then: offsets by webhook."""

    def __init__(self, is_kill, recorded):
        self.is_kill, self.recorded = is_kill, recorded
        #: When the next process was started: nothing of it came earlier.
        self.at = None


class World:
    """One gateway on a folder, from the first start to the last check of a round."""

    def __init__(self, folder, seed):
        self.folder, self.seed, self.journal = pathlib.Path(folder), seed, Journal()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.counts = collections.Counter()
        self.deaths, self.targets = [], []
        self.gateway = Gateway(self.folder)
        self.gateway.log_file = self.folder / "stderr.log"
        try:
            self.begin()
        except BaseException:
            self.close()
            raise

    def begin(self):
        """Customers with threads, and webhooks."""
        seed = self.seed
        self.gateway.start()
        self.epoch = self.gateway.get("/v1/info")["epoch"]
        made = self.gateway.post("/v1/desk/channels", {"id": CHANNELS[1], "mode": "multithread"})
        assert made.status == 201, made
        self.customers = [
            Customer(self.gateway, self.journal, number, CHANNELS[number % 2]) for number in range(seed.randrange(2, 5))
        ]
        for customer in self.customers:
            for _ in range(seed.randrange(1, 4)):
                customer.new_thread(self.gateway)
        for _ in range(seed.randrange(2, 6)):
            self.targets.append(Target(self.gateway, seed, self.customers, CHANNELS))

    # -- what happens

    def live(self, seconds):
        """The chats go on for a while, receivers come and go, their owner looks after them."""
        load = Load(self.gateway, self.customers, self.seed, files=False, pause=self.seed.choice([0.02, 0.1, 0.2]))
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, 0.05 + 0.3 * self.seed.random()))
            target, chance = self.seed.choice(self.targets), self.seed.random()
            if chance < 0.3:
                if target.receiver.is_up:
                    self.counts["outages"] += 1
                    target.receiver.down()
                else:
                    target.receiver.up()
            elif chance < 0.4:
                target.hook.post("pause")
            elif chance < 0.9 and target.hook.json["state"] != "active":
                target.hook.post("resume")
        return load

    def kill(self, load):
        self.gateway.kill()
        self.ended(load, is_kill=True)

    def terminate(self, load):
        """What was answered is recorded then, so that nothing of it comes again."""
        self.gateway.signal(15)
        code = self.gateway.wait(GRACE + 5)
        assert code == 0, f"SIGTERM ended it with {code}"
        self.ended(load, is_kill=False)

    def ended(self, load, is_kill):
        load.join()
        self.counts["kills" if is_kill else "ends"] += 1
        self.deaths.append(Death(is_kill, self.recorded()))

    def recorded(self):
        """The offsets that do not wait any more, by webhook."""
        found = {target.hook.id: set() for target in self.targets}
        for id, offset in self.gateway.select(
            "SELECT target.id, place FROM delivery JOIN target ON target.number = delivery.target "
            "WHERE delivery.state != 'pending'"
        ):
            found[id].add(int(offset))
        counts = self.gateway.select("SELECT count(*) FROM delivery WHERE state = 'pending' GROUP BY target")
        assert all(int(count) <= 256 for (count,) in counts), "more deliveries of one webhook wait than may"
        return found

    def restart(self):
        # What the last process has connected to is accepted before the next one is there.
        for target in self.targets:
            target.receiver.settle()
        self.deaths[-1].at = time.monotonic()
        self.gateway.start()

    # -- the check

    def check(self):
        """Receivers are well again; when all has arrived, what they got is compared with the log."""
        for target in self.targets:
            target.heal()
            target.hook.post("resume")

        def waiting():
            """Once more for who answered 410, or failed, just before it was healed."""
            late = []
            for target in self.targets:
                state = target.hook.json
                if state["state"] != "active":
                    target.hook.post("resume")
                if state["lag"] or state["state"] != "active":
                    late.append((target, state))
            return late

        try:
            until("all to arrive", lambda: not waiting(), RECOVERY, every=0.05)
        except AssertionError:
            raise AssertionError(f"not all arrived within {RECOVERY} s: {waiting()}") from None
        logs = {}
        for target in self.targets:
            path, token = target.stream
            if path not in logs:
                logs[path] = self.log(path, token)
            checker.check(target, logs[path], self.deaths)
        self.check_sends(logs.get("/v1/desk/events") or self.log("/v1/desk/events", None))

    def log(self, path, token):
        with Stream(self.gateway, f"{path}?after={self.epoch}-0", token) as stream:
            events = stream.ready()[:-1]
        assert not any(event.name == "reset" for event in events), "the log does not go back to its beginning"
        return [event for event in events if event.offset is not None]

    def check_sends(self, log):
        """The log itself has each message that was acknowledged."""
        logged = {event.json["message"]["id"] for event in log if event.name == "message.created"}
        for key, entry in self.journal.of("message").items():
            state = entry.must_be
            if state and not state.startswith("<"):
                assert key[2] in logged, f"the message {key} was acknowledged and is not in the log"

    def tally(self):
        receipts = [receipt for target in self.targets for receipt in target.receiver.receipts]
        first = {(id(target), each.offset) for target in self.targets for each in target.receiver.receipts}
        counts = collections.Counter(
            str(each.status) if not each.is_broken else "broken off" for each in receipts if not each.is_success
        )
        return {
            "acknowledged changes": self.journal.acknowledged,
            "webhooks": len(self.targets),
            "deliveries": len(first),
            "repetitions": len(receipts) - len(first),
            **{f"answers {status}": count for status, count in counts.items()},
            **self.counts,
        }

    def close(self):
        self.gateway.close()
        for target in self.targets:
            target.receiver.close()

    def keep(self, fault):
        """What receivers got, beside the data, for whoever looks for the fault."""
        (self.folder / "fault.txt").write_text(fault)
        lines = [f"{death.at} {'kill' if death.is_kill else 'end'}" for death in self.deaths]
        for target in self.targets:
            lines.append(repr(target))
            for each in target.receiver.receipts:
                times = f"{each.connected:.4f} {each.began:.4f} {each.took():.4f}"
                lines.append(f"{times} {each} {each.thread} {json.dumps(each.data)[:200]}")
        (self.folder / "receipts.txt").write_text("\n".join(lines))

