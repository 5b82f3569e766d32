"""A receiver that is away for long: the log is what waits, and what the log has lost is told first."""

import threading

from serving import Chat, Gateway, until
from streams import Stream
from webhook_receiver import Answer, Hook, Receiver

WINDOW = 256


def pending(gateway):
    [[count]] = gateway.select("SELECT count(*) FROM delivery WHERE state = 'pending'")
    return int(count)


def desk_log(gateway, after):
    with Stream(gateway, f"/v1/desk/events?after={after}") as stream:
        return [event for event in stream.ready()[:-1] if event.offset is not None]


def length(gateway):
    info = gateway.get("/v1/info").json
    return info["head"] - info["floor"]


def talk(chat, threads, count):
    for number in range(count):
        for thread in threads:
            chat.say(thread, f"{number}")


def check_order(receipts):
    offsets = {}
    for receipt in receipts:
        offsets.setdefault(receipt.thread, []).append(receipt.offset)
    assert all(each == sorted(set(each)) for each in offsets.values()), "not in order, or twice"


def test_a_receiver_that_is_down_while_the_gateway_restarts():
    with Gateway() as gateway, Receiver() as receiver:
        info = gateway.get("/v1/info").json
        start = f"{info['epoch']}-{info['head']}"
        hook = Hook(gateway, receiver)
        receiver.down()
        chat = Chat(gateway)
        threads = [chat.thread() for _ in range(4)]
        talk(chat, threads, 50)
        until("the webhook to fail", lambda: hook.json["state"] == "failing")
        assert gateway.stop() == 0
        assert 0 < pending(gateway) <= WINDOW
        gateway.start()
        talk(chat, threads, 30)
        gateway.kill()
        assert 0 < pending(gateway) <= WINDOW
        gateway.start()
        talk(chat, threads, 20)
        log = desk_log(gateway, start)
        assert len(log) > 2 * WINDOW and hook.json["lag"] == len(log)

        receiver.up()
        hook.post("resume")
        until("all to arrive", lambda: hook.json["lag"] == 0)
        assert hook.json["state"] == "active"
        check_order(receiver.receipts)
        assert {receipt.id for receipt in receiver.receipts} == {event.id for event in log}
        assert [event.json for event in log] == [
            each.data for each in sorted(receiver.receipts, key=lambda each: each.offset)]


class ShortLog:
    """A gateway whose log keeps the newest 100 events, all that the desk was told, and a webhook on it."""

    def __init__(self, gateway, receiver, **settings):
        self.gateway, self.receiver = gateway, receiver
        info = gateway.get("/v1/info").json
        self.told, self._last = [], f"{info['epoch']}-{info['head']}"
        self.hook = Hook(gateway, receiver, **settings)
        self.chat = Chat(gateway)
        self.threads = [self.chat.thread() for _ in range(3)]
        self.talk(1)
        until("the first to arrive", lambda: self.hook.json["lag"] == 0)
        self.first = list(receiver.receipts)
        assert {each.id for each in self.first} == {event.id for event in self.told}

    def talk(self, count):
        """At most 60 events at a time, so that each is read before the log loses it."""
        for _ in range(count):
            talk(self.chat, self.threads, 10 if count > 1 else 1)
            self.told += desk_log(self.gateway, self._last)
            self._last = self.told[-1].id

    def check(self):
        """Returns the notices of losses that the receiver has got since the first events.

        The log is cut while deliveries are under way, and as often as it likes: there are one or more.
        """
        later = [each for each in self.receiver.receipts[len(self.first):] if each.is_success]
        resets = [each for each in later if each.type == "reset"]
        assert later[0].type == "reset", "what is lost is told first"
        floor, reached = self.gateway.get("/v1/info")["floor"], 0
        left = {event.offset for event in self.told} - {each.offset for each in self.first}
        for each in later:
            if each.type != "reset":
                assert each.offset > reached, "an event that was told to be lost"
                left.discard(each.offset)
                continue
            assert each.is_genuine and each.id == f"reset-{each.data['to']}"
            assert each.data["reason"] == "expired" and each.data["snapshot"] == "/v1/desk/threads"
            start, end = (int(each.data[name].rpartition("-")[2]) for name in ("from", "to"))
            # It may begin where the last one did: that one was on its way when more was lost.
            assert start < end and reached < end <= floor, "a loss that is none, or that was told before"
            left -= set(range(start + 1, end + 1))
            reached = end
        assert not left, "lost in silence"
        assert int(resets[0].data["from"].rpartition("-")[2]) <= max(each.offset for each in self.first)
        kept = {event.id for event in desk_log(self.gateway, resets[-1].data["to"])}
        assert kept and kept <= {each.id for each in later}
        check_order([each for each in later if each.type != "reset"])
        return resets


def test_what_the_log_has_lost_is_told_first():
    with Gateway(arguments=["--retention-events", "100"]) as gateway, Receiver() as receiver:
        log = ShortLog(gateway, receiver)
        receiver.down()
        log.talk(6)
        until("the webhook to fail", lambda: log.hook.json["state"] == "failing")
        assert gateway.stop() == 0
        gateway.start()
        # The log is cut at the start, at the latest.
        until("the log to be cut", lambda: length(gateway) <= 100)
        receiver.up()
        log.hook.post("resume")
        until("all to arrive", lambda: log.hook.json["lag"] == 0 and log.hook.json["state"] == "active")
        log.check()


def test_what_the_log_loses_while_a_loss_is_told_is_told_as_well():
    """The first notice is on its way while the log goes on, so it does not know of what is lost then."""
    answered = threading.Event()

    def behave(receipt):
        if receipt.type == "reset":
            answered.wait(60)
        return Answer()

    with Gateway(arguments=["--retention-events", "100"]) as gateway, Receiver(behave) as receiver:
        log = ShortLog(gateway, receiver, timeoutSeconds=60)
        receiver.down()
        log.talk(6)
        until("the webhook to fail", lambda: log.hook.json["state"] == "failing")
        receiver.up()
        log.hook.post("resume")
        [reset] = until("the loss to be told", lambda: receiver.got(lambda each: each.type == "reset"))
        # More than a batch of the trimmer is too much in the log, so it is cut at once.
        log.talk(6)
        assert gateway.get("/v1/info")["floor"] > reset.offset
        answered.set()
        until("all to arrive", lambda: log.hook.json["lag"] == 0 and log.hook.json["state"] == "active")
        assert len(log.check()) > 1


def test_a_webhook_that_is_resumed_while_attempts_fail(gw):
    """Failures that are not stored yet, and a resumption that reads what waits: nothing is forgotten, nor passed by."""
    failing = True
    with Receiver(lambda _: Answer(503 if failing else 204, delay=0.002)) as receiver:
        info = gw.get("/v1/info").json
        hook = Hook(gw, receiver, concurrency=16)
        chat = Chat(gw)
        threads = [chat.thread() for _ in range(12)]
        client = gw.client()
        for _ in range(5):
            failing = True
            talk(chat, threads, 2)
            for _ in range(100):
                assert client.call("POST", f"{hook.path}/resume").status == 200
            failing = False
            client.call("POST", f"{hook.path}/resume")
            until("all to arrive", lambda: hook.json["lag"] == 0 and hook.json["state"] == "active", 15)
        done = receiver.got(lambda each: each.status == 204)
        assert {each.id for each in done} == {each.id for each in desk_log(gw, f"{info['epoch']}-{info['head']}")}
        check_order(done)
