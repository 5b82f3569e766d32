"""Two gateways that take over from each other, under load."""

import statistics
import time

from crew import Crew
from postgres import Server
from serving import until
from standby import gateway, ready, standby


class Relay:
    """Two gateways on one database, of which one is active, and a crew of sessions that follows it."""

    def __init__(self, server=None, addresses=(None, None), more=()):
        """The gateways may reach the server by an address each."""
        self.server = server or Server()
        self._more = more
        self._addresses = addresses
        self.active = self.idle = self.crew = None

    def __enter__(self):
        one, two = self._addresses
        try:
            self.active = gateway(self.server, "one", address=one, more=self._more).start()
            self.idle = standby(gateway(self.server, "two", like=self.active, address=two, more=self._more))
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self, sessions):
        self.crew = Crew(self.server, self.active, sessions)
        self.seconds, self.messages = [], 0

    def __exit__(self, *_):
        for each in [self.crew, self.idle, self.active, self.server]:
            if each:
                each.close()

    def take_over(self, begin, limit):
        """The standby is ready, and all sessions there. Returns how long that took."""
        ready(self.idle, limit)
        seconds = time.monotonic() - begin
        self.crew.check_sessions(self.idle)
        self.seconds.append(seconds)
        return seconds

    def serving(self, moment, limit=20):
        """The gateway that has taken or renewed the lease since this moment of the database's clock."""

        def holder():
            return self.server.ask(
                "SELECT holder FROM writer JOIN gateway ON gateway.name = holder "
                f"WHERE until - interval '8 s' > timestamptz '{moment}'")

        [[name]] = until("one of them to have the lease", holder, limit)
        found = next(each for each in [self.active, self.idle] if name in each.arguments)
        print(f"{name} serves")
        ready(found, limit)
        return found

    def swap(self, number):
        """The gateway that has ended is started again, and stands by."""
        self.messages += (count := self.crew.check(self.idle))
        name, seconds = self.idle.arguments[-1], self.seconds[-1]
        print(f"round {number}: {name} was ready after {seconds:.2f} s, {count} messages", flush=True)
        self.active, self.idle = self.idle, standby(self.active)

    def report(self, what):
        median, worst = statistics.median(self.seconds), max(self.seconds)
        print(f"{what}: {len(self.seconds)} rounds, {self.messages} messages; "
              f"ready after {median:.2f} s (median), {worst:.2f} s (worst)")
