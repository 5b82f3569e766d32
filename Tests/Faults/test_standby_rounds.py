"""The same gateways die again and again under load, and take over from each other. PARLEY_ROUNDS says how often; 5 by default."""

import os
import signal
import statistics
import time

import pytest
from crew import Crew
from postgres import Server, needs_postgres
from standby import LOST, gateway, ready, standby

pytestmark = needs_postgres

ROUNDS = int(os.environ.get("PARLEY_ROUNDS") or 5)


@pytest.fixture
def relay():
    with Relay() as made:
        yield made


class Relay:
    """Two gateways on one database, of which one is active, and a crew of sessions that follows it."""

    def __enter__(self):
        self.server = Server()
        self.active = self.idle = self.crew = None
        try:
            self.active = gateway(self.server, "one").start()
            self.idle = standby(gateway(self.server, "two", like=self.active))
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


def test_kill_under_load(relay, seed):
    relay.begin(504)
    crew = relay.crew
    for number in range(ROUNDS):
        finish = crew.send(relay.active)
        crew.read_load(seed.randrange(100, 400))
        begin = time.monotonic()
        relay.active.kill()
        relay.take_over(begin, 10)
        finish()
        crew.read_to_the_end()
        crew.connect(relay.idle)
        crew.send_again(relay.idle)
        relay.swap(number)
    relay.report("killed")


def test_pause_under_load(relay, seed):
    relay.begin(504)
    crew = relay.crew
    for number in range(ROUNDS):
        paused, name = relay.active, relay.active.arguments[-1]
        length = paused.log_file.stat().st_size
        finish = crew.send(paused)
        crew.read_load(seed.randrange(100, 400))
        paused.signal(signal.SIGSTOP)
        try:
            relay.take_over(time.monotonic(), 20)
            before = relay.server.ask(f"SELECT count(*), max(number) FROM committed WHERE gateway = '{name}'")
            # Some clients have gone to the other one by now. The others wait for this one.
            crew.connect(relay.idle, slice(None, None, 2))
        finally:
            paused.signal(signal.SIGCONT)
        assert paused.wait() == LOST
        finish()
        assert "stepping down" in paused.log_file.read_text()[length:]
        assert relay.server.ask(f"SELECT count(*), max(number) FROM committed WHERE gateway = '{name}'") == before
        crew.connect(relay.idle, slice(1, None, 2))
        crew.send_again(relay.idle)
        relay.swap(number)
    relay.report("paused")
