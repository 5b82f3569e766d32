"""The active gateway loses the network to the database in the middle of commits. The standby keeps its own."""

import time

import pytest
from network import Network
from postgres import Server, needs_postgres
from relay import Relay
from standby import LOST, ready

pytestmark = [needs_postgres, pytest.mark.slow]


@pytest.fixture
def network():
    with Network() as made:
        yield made


@pytest.fixture
def relay(network):
    server = Server(within=network.within, listen=network.there)
    with Relay(server, [f"postgresql://postgres@{address}/postgres" for address in network.there]) as made:
        made.begin(48)
        yield made


def outage(relay, network, seconds):
    """Cuts the active gateway off for so long, under load. Returns what waits for the end of the load."""
    finish = relay.crew.send(relay.active)
    relay.crew.read_load(100)
    network.cut(0)
    relay.crew.read_until(time.monotonic() + seconds)
    network.mend(0)
    return finish


def test_one_second_is_outlived(relay, network):
    crew = relay.crew
    for _ in range(3):
        finish = outage(relay, network, 1)
        # The load has only waited.
        crew.read_load(100)
        crew.stop()
        finish()
        assert not crew.unknown
        crew.check(relay.active)
    assert relay.idle.call("GET", "/readyz", token=None).code == "standby"
    assert "suspended" not in relay.active.log()


def test_five_seconds_lose_nothing(relay, network):
    """Whether the other one takes over depends on the moment of the last renewal."""
    crew = relay.crew
    finish = outage(relay, network, 5)
    [[moment]] = relay.server.ask("SELECT clock_timestamp()")
    serving = relay.serving(moment)
    crew.stop()
    finish()
    if serving is relay.idle:
        assert relay.active.wait() == LOST
        crew.connect(serving)
    crew.send_again(serving)
    crew.check(serving)


def test_twenty_seconds_move_the_sessions(relay, network):
    crew = relay.crew
    lonely, name = relay.active, relay.active.arguments[3]
    finish = crew.send(lonely)
    crew.read_load(100)
    network.cut(0)
    begin = time.monotonic()
    relay.take_over(begin, 20)
    finish()
    before = relay.server.ask(f"SELECT count(*), max(number) FROM committed WHERE gateway = '{name}'")
    # Some clients have gone to the other one by now. The others wait for this one.
    crew.connect(relay.idle, slice(None, None, 2))
    crew.read_until(begin + 20)
    network.mend(0)
    assert lonely.wait() == LOST
    crew.connect(relay.idle, slice(1, None, 2))
    crew.send_again(relay.idle)
    relay.swap(0)
    assert relay.server.ask(f"SELECT count(*), max(number) FROM committed WHERE gateway = '{name}'") == before
    # What the server still has of the one that was cut off does not keep it from taking over.
    relay.active.kill()
    ready(relay.idle, 20)
    crew.connect(relay.idle)
    crew.check(relay.idle)
