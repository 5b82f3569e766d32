"""Two gateways that take over from each other, under load."""

import statistics
import time

from crew import Crew
from postgres import Server
from standby import gateway, ready, standby


class Relay:
    """Two gateways on one database, of which one is active, and a crew of sessions that follows it."""

    def __init__(self, server=None, addresses=(None, None)):
        """The gateways may reach the server by an address each."""
        self.server = server or Server()
        self._addresses = addresses
        self.active = self.idle = self.crew = None

    def __enter__(self):
        one, two = self._addresses
        try:
            self.active = gateway(self.server, "one", address=one).start()
            self.idle = standby(gateway(self.server, "two", like=self.active, address=two))
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

    def swap(self, number):
        """The gateway that has ended is started again, and stands by."""
        self.messages += (count := self.crew.check(self.idle))
        print(f"round {number}: {self.idle.arguments[-1]} was ready after {self.seconds[-1]:.2f} s, {count} messages", flush=True)
        self.active, self.idle = self.idle, standby(self.active)

    def report(self, what):
        median, worst = statistics.median(self.seconds), max(self.seconds)
        print(f"{what}: {len(self.seconds)} rounds, {self.messages} messages; ready after {median:.2f} s (median), {worst:.2f} s (worst)")
