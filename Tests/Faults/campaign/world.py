"""What a round happens to: a gateway, customers, those who follow, and the journal of what they were told."""

import collections
import json
import os
import pathlib
import time

from campaign.checker import Database, Interface
from campaign.followers import FollowedCollection, Follower
from campaign.journal import ABSENT, REMOVED, Journal
from campaign.load import Customer, Load
from campaign.shim import Shim
from serving import Gateway, until

#: A gateway that is told to end has this long.
GRACE = 10
#: After a fault it has this long until everything works again.
RECOVERY = 20


class World:
    """One gateway on a folder, from the first start to the last check of a round."""

    def __init__(self, folder, seed, shim=True, loses_power=False):
        self.folder, self.seed, self.journal = pathlib.Path(folder), seed, Journal()
        #: What happened: faults that struck, answers that were no success.
        self.counts = collections.Counter()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shim = Shim(self.folder / "shim", loses_power) if shim else None
        environment = {**os.environ, **(self.shim.environment if self.shim else {})}
        self.gateway = Gateway(self.folder, env=environment)
        self.gateway.log_file = self.folder / "stderr.log"
        self.gateway.start()
        self.token, self.epoch = self.gateway.token, self.gateway.get("/v1/info")["epoch"]
        self.customers = [Customer(self.gateway, self.journal, number) for number in range(seed.randrange(1, 4))]
        for customer in self.customers:
            for _ in range(seed.randrange(1, 3)):
                customer.new_thread(self.gateway)
        self.followers = [
            Follower(f"{customer.path}/events", customer.token, f"{self.epoch}-0") for customer in self.customers
        ]
        self.followers.append(Follower("/v1/desk/events", self.gateway.token, f"{self.epoch}-0"))
        first = self.customers[0]
        self.collections = [
            FollowedCollection(self.gateway, first, {"kind": "messages", "threadId": first.threads[0], "limit": 20}),
            FollowedCollection(self.gateway, first, {"kind": "threads", "query": {"limit": 5}}),
        ]
        self.follow()

    # -- life

    def follow(self):
        for follower in self.followers:
            follower.follow(self.gateway)

    def load(self, **more):
        return Load(self.gateway, self.customers, self.seed, **more)

    def wait(self, seconds):
        """A moment up to `seconds`, rather an early one: the moment is the point."""
        time.sleep(self.seed.random() ** 2 * seconds)

    def ended(self):
        """The gateway is gone: followers take what came, and wait for the next start."""
        for follower in self.followers:
            follower.broken()

    def restart(self):
        self.gateway.start()
        assert self.gateway.token == self.token, "the gateway's token is another one"
        assert self.gateway.get("/v1/info")["epoch"] == self.epoch, "the log's epoch is another one"
        self.follow()

    def finish(self, load):
        load.join()
        self.counts.update({f"{status} {code}": count for (status, code), count in load.answers.items() if code})

    def kill(self, load=None):
        if self.gateway.process.poll() is None:
            self.gateway.kill()
        self.counts["kills"] += 1
        if load:
            self.finish(load)
        self.ended()

    def terminate(self, load=None):
        start = time.monotonic()
        self.gateway.signal(15)
        code = self.gateway.wait(GRACE + 5)
        took = time.monotonic() - start
        self.counts["ends"] += 1
        if load:
            self.finish(load)
        assert code == 0, f"SIGTERM ended it with {code}"
        assert took < GRACE, f"SIGTERM took {took:.1f} s"
        self.ended()

    def disarm(self):
        self.counts["faults"] += self.shim.disarm()

    def lives(self):
        code = self.gateway.process.poll()
        assert code is None, f"the gateway ended with {code}:\n{self.gateway.log()}"

    def recovered(self):
        """The fault is over: without a restart it is ready, and takes what it refused."""
        self.lives()
        until("/readyz to be 200", lambda: self.gateway.get("/readyz", token=None).status == 200, RECOVERY, every=0.1)
        customer = self.customers[0]
        path = f"{customer.path}/threads/{customer.threads[0]}/messages"

        def takes():
            key, text = ("message", customer.threads[0], os.urandom(8).hex()), self.journal.text("again")
            self.journal.began(key, text)
            answer = self.gateway.post(path, {"id": key[2], "text": text}, token=customer.token)
            self.journal.answered(key, text, answer.status)
            return answer.status == 201

        until("a send to be taken", takes, RECOVERY, every=0.1)

    # -- the check

    def check(self):
        """Rows, log, pages, streams and collections against the journal, and against each other."""
        self._send_again()
        self._repeat()
        self._mark_ends()
        database = Database(self.gateway.folder, self.journal)
        database.check()
        Interface(self.gateway, database).check(self.seed)
        self._check_followers(self.followers, database, True)
        anew = [Follower(follower.path, follower.token, f"{self.epoch}-0") for follower in self.followers]
        for follower in anew:
            follower.follow(self.gateway)
        self._check_followers(anew, database, False)
        for follower in anew:
            follower.close()
        for collection in self.collections:
            collection.compare()

    def _send_again(self):
        """What was not answered may be asked for again, with the same id: it is there once then."""
        unsure = [
            (key, entry)
            for key, entry in self.journal.of("message").items()
            if len(entry.states) == 2 and ABSENT in entry.states and not entry.parent and not entry.attachment
        ]
        owner = {thread: customer for customer in self.customers for thread in customer.threads}
        for key, entry in unsure[: len(unsure) // 2]:
            text = next(state for state in entry.states if state != ABSENT)
            shown = self.gateway.get(f"/v1/desk/threads/{key[1]}/messages/{key[2]}")
            if shown.status == 200 and shown["direction"] == "toClient":
                path, token = f"/v1/desk/threads/{key[1]}/messages", self.token
            elif shown.status == 200:
                path, token = f"{owner[key[1]].path}/threads/{key[1]}/messages", owner[key[1]].token
            else:
                path, token = f"{owner[key[1]].path}/threads/{key[1]}/messages", owner[key[1]].token
            answer = self.gateway.post(path, {"id": key[2], "text": text}, token=token)
            assert answer.status == (200 if shown.status == 200 else 201), answer
            self.journal.answered(key, text, answer.status)

    def _repeat(self):
        """What was acknowledged is asked for again with the same Idempotency-Key: the answer is the same."""
        keyed = [key for key in self.journal.keyed if self.journal.entries[key].must_be not in (None, ABSENT, REMOVED)]
        for key in self.seed.sample(keyed, min(3, len(keyed))):
            customer, body = self.journal.keyed[key]
            answer = self.gateway.post(
                f"{customer.path}/threads/{key[1]}/messages",
                body,
                token=customer.token,
                headers={"Idempotency-Key": key[2]},
            )
            # Later than a day the key is forgotten; then the id tells, unless the text was changed meanwhile.
            assert answer.status in (200, 201) or self.counts["clock"], answer

    def _mark_ends(self):
        """A last message in each thread: whoever has it has everything before."""
        self._ends = set()
        for customer in self.customers:
            for thread in customer.threads:
                key, text = ("message", thread, os.urandom(8).hex()), self.journal.text("end")
                self.journal.began(key, text)
                answer = self.gateway.post(
                    f"{customer.path}/threads/{thread}/messages", {"id": key[2], "text": text}, token=customer.token
                )
                assert answer.status == 201, answer
                self.journal.answered(key, text, 201)
                self._ends.add(key[1:])

    def _check_followers(self, followers, database, live):
        for follower in followers:
            threads = {
                thread
                for customer in self.customers
                for thread in customer.threads
                if customer.path in follower.path or "desk" in follower.path
            }
            follower.wait({key for key in self._ends if key[0] in threads})
            shown = {key: text for key, text in follower.messages.items() if text != REMOVED}
            expected = {key: row["value"].get("text") for key, row in database.messages.items() if key[0] in threads}
            if shown != expected:
                wrong = {
                    key: (shown.get(key), expected.get(key))
                    for key in shown.keys() | expected.keys()
                    if shown.get(key) != expected.get(key)
                }
                raise AssertionError(f"{follower.path} ({'live' if live else 'anew'}) shows other messages: {wrong}")

    def tally(self):
        journal = self.journal
        return {
            "acknowledged": journal.acknowledged,
            "refused": journal.refused,
            "unanswered": journal.unknown,
            **self.counts,
        }

    def close(self):
        for follower in self.followers:
            follower.close()
        self.gateway.close()
        if self.shim:
            self.shim.close()

    def keep(self, fault):
        """What the journal knows, beside the data, for whoever looks for the fault."""
        entries = {" ".join(key): entry.states for key, entry in self.journal.entries.items()}
        (self.folder / "journal.json").write_text(json.dumps(entries, indent=1))
        (self.folder / "fault.txt").write_text(fault)
