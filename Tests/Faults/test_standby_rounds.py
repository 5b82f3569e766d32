"""Two gateways die, are paused or hand over again and again under load, and take over from each other.

PARLEY_ROUNDS says how often (5).
"""

import os
import signal
import subprocess
import time

import pytest
from postgres import needs_postgres
from relay import Relay
from serving import binary
from standby import LOST

pytestmark = needs_postgres

ROUNDS = int(os.environ.get("PARLEY_ROUNDS") or 5)


@pytest.fixture
def relay():
    with Relay() as made:
        yield made


def test_kill_under_load_behind_a_standby(seed):
    """All that is asked and streamed is passed on by the one that takes over."""
    with Relay(more=["--advertise", "listen"]) as relay:
        relay.begin(504)
        crew = relay.crew
        crew.connect(relay.idle)
        for number in range(ROUNDS):
            finish = crew.send(relay.idle)
            crew.read_load(seed.randrange(100, 400))
            begin = time.monotonic()
            relay.active.kill()
            crew.read_to_the_end()
            relay.take_over(begin, 10)
            finish()
            crew.connect(relay.idle)
            crew.send_again(relay.idle)
            relay.swap(number)
            crew.connect(relay.idle)
        relay.report("killed behind a standby")


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


def test_hand_over_under_load(relay, seed):
    relay.begin(504)
    crew = relay.crew
    for number in range(ROUNDS):
        leaving = relay.active
        finish = crew.send(leaving)
        crew.read_load(seed.randrange(100, 400))
        begin = time.monotonic()
        with subprocess.Popen([binary(), "handover", "--data", str(leaving.folder)], stdout=subprocess.PIPE, text=True) as command:
            crew.read_to_the_end()
            assert command.communicate(timeout=60)[0] == "The gateway has handed over.\n"
        assert leaving.wait() == LOST
        relay.take_over(begin, 20)
        finish()
        crew.connect(relay.idle)
        crew.send_again(relay.idle)
        relay.swap(number)
    relay.report("handed over")
