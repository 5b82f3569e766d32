"""The primary of two PostgreSQL servers dies under load, and its standby is promoted."""

import contextlib
import signal

import pytest
from postgres import Replica, Server, needs_postgres
from relay import Relay
from serving import Chat, until
from standby import LOST, on, ready, text_of
from streams import Stream
from webhook_receiver import Hook, Receiver

pytestmark = needs_postgres


@pytest.fixture
def servers():
    """A primary, and a standby that is not waited for."""
    with contextlib.ExitStack() as stack:
        primary = Server()
        stack.callback(primary.close)
        replica = Replica(primary, "db2")
        stack.callback(replica.close)
        yield primary, replica


def test_a_synchronous_standby_loses_nothing(servers):
    primary, replica = servers
    primary.ask("ALTER SYSTEM SET synchronous_standby_names = 'db2'")
    primary.ask("SELECT pg_reload_conf()")
    until("the standby to be waited for",
          lambda: primary.ask("SELECT sync_state FROM pg_stat_replication") == [["sync"]])
    with Relay(primary, [primary.address_with(replica)] * 2) as relay:
        relay.begin(96)
        crew = relay.crew
        finish = crew.send(relay.active)
        crew.read_load(200)
        primary.kill()
        replica.promote()
        crew.server = relay.server = replica
        [[moment]] = replica.ask("SELECT clock_timestamp()")
        serving = relay.serving(moment)
        crew.stop()
        finish()
        if serving is relay.idle:
            assert relay.active.wait() == LOST
            crew.connect(serving)
        crew.send_again(serving)
        print(f"{crew.check(serving)} messages")
        # It goes on from there.
        finish = crew.send(serving)
        crew.read_load(100)
        crew.stop()
        finish()
        crew.check(serving)


class Reader:
    """A session with one thread, and its stream."""

    def __init__(self, gateway):
        self.chat = Chat(gateway)
        self.thread = self.chat.thread()
        self.stream = None
        self.connect(gateway)

    def connect(self, gateway, last_id=None):
        """Opens the stream, by itself as an EventSource does, or from a place that was noted."""
        self.close()
        self.stream = Stream(gateway, f"{self.chat.path}/events", self.chat.token, last_id=last_id)

    def close(self):
        if self.stream:
            self.stream.close()

    def say(self, gateway, text):
        """Sends, and reads the stream up to this message. Returns the events."""
        on(gateway, self.chat).say(self.thread, text)
        return self.collect(gateway, lambda event: event.name == "message.created" and text_of(event) == text)

    def collect(self, gateway, last):
        """The events up to and with the one for which `last` is true, as an EventSource reads them: a stream that could not
        read the database ends, and the next one goes on at its place."""
        events = []
        while not events or not last(events[-1]):
            if event := self.stream.next():
                events.append(event)
            else:
                self.connect(gateway, self.stream.last_id)
        return events


def resets(events):
    return [event for event in events if event.name == "reset"]


def sent(receiver, text):
    """What the webhook has got of this text, each event once: an attempt whose outcome was not stored is made again."""
    got = receiver.got(lambda each: each.type == "message.created" and each.data["message"]["text"] == text)
    return list({each.id: each for each in reversed(got)}.values())[::-1]


@contextlib.contextmanager
def paused(gateway):
    """The gateway does nothing meanwhile. However long a promotion takes on a busy machine, it does not take over."""
    gateway.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        gateway.signal(signal.SIGCONT)


def created(events):
    return [text_of(event) for event in events if event.name == "message.created"]


def test_what_an_asynchronous_standby_has_not_received(servers):
    """Exactly the streams that were told of lost commits begin anew. The others go on. A webhook that may have been sent
    some is told of the range."""
    primary, replica = servers
    with Receiver() as receiver, Relay(primary, [primary.address_with(replica)] * 2) as relay, \
            contextlib.ExitStack() as stack:
        Hook(relay.active, receiver, types=["message.created"])
        readers = [Reader(relay.active) for _ in range(9)]
        for reader in readers:
            stack.callback(reader.close)
            reader.stream.ready()
            reader.say(relay.active, "kept")
        kept = {reader: reader.stream.last_id for reader in readers}
        # When it happens, three are away, three are told nothing, and three are told what will be lost.
        away, silent, told = readers[:3], readers[3:6], readers[6:]
        for reader in away:
            reader.close()
        until("the standby to have all", lambda: not replica.is_behind(primary))
        replica.disconnect()
        [[low]] = replica.ask("SELECT place FROM committed ORDER BY number DESC LIMIT 1")
        for reader in told:
            reader.say(relay.active, "lost")
        lost = {reader: reader.stream.last_id for reader in told}
        until("the webhook to have them", lambda: len(sent(receiver, "lost")) == len(told))
        with paused(relay.idle):
            primary.kill()
            replica.promote()
            relay.server = replica
            [[moment]] = replica.ask("SELECT clock_timestamp()")
            assert relay.serving(moment, 60) is relay.active
        # Nobody needs to write for that.
        until("the gateway to find out", lambda: replica.ask("SELECT low FROM lost"))
        for reader in away:
            reader.connect(relay.active, kept[reader])
        for reader in [*away, *silent]:
            events = reader.say(relay.active, "new")
            assert created(events) == ["new"] and not resets(events)
        assert replica.ask("SELECT low FROM lost") == [[low]]
        for reader in told:
            reset = reader.collect(relay.active, lambda event: event.name == "reset")[-1]
            assert reset.json["reason"] == "expired"
            reader.say(relay.active, "new")
        reset, *_ = until("the webhook to be told", lambda: receiver.got(lambda each: each.type == "reset"))
        ends = [int(reset.data[name].rpartition("-")[2]) for name in ["from", "to"]]
        assert ends[0] == int(low) and all(ends[0] < each.offset <= ends[1] for each in sent(receiver, "lost"))
        until("the webhook to go on", lambda: len(sent(receiver, "new")) == len(readers))
        assert receiver.got().index(reset) < min(map(receiver.got().index, sent(receiver, "new")))
        for reader in readers:
            shown = [message["text"] for message in on(relay.active, reader.chat).history(reader.thread)]
            assert shown == ["kept", "new"]
            offset = int(reader.stream.last_id.rpartition("-")[2])
            assert offset > int(low) + (1 << 32), "an offset that was given out is not used again"
        # The same on the other gateway, which remembers nothing.
        relay.active.kill()
        ready(relay.idle)
        for reader in told:
            reader.connect(relay.idle, lost[reader])
            assert reader.stream.next().name == "reset"
        for reader in readers:
            reader.connect(relay.idle, kept[reader])
            events = reader.say(relay.idle, "last")
            assert created(events) == ["new", "last"] and not resets(events)
