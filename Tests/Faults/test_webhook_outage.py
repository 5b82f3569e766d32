"""A receiver that is away for long: the log is what waits, and what the log has lost is told first."""

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


def test_what_the_log_has_lost_is_told_first():
    with Gateway(arguments=["--retention-events", "100"]) as gateway, Receiver() as receiver:
        hook = Hook(gateway, receiver)
        before = hook.json["cursor"]
        chat = Chat(gateway)
        threads = [chat.thread() for _ in range(3)]
        talk(chat, threads, 1)
        until("the first to arrive", lambda: hook.json["lag"] == 0)
        first = list(receiver.receipts)
        receiver.down()
        talk(chat, threads, 60)
        until("the webhook to fail", lambda: hook.json["state"] == "failing")
        assert gateway.stop() == 0
        gateway.start()
        # The log is cut at the start, at the latest. What is cut later is told by another reset.
        until("the log to be cut", lambda: length(gateway) <= 100)
        receiver.up()
        hook.post("resume")
        until("all to arrive", lambda: hook.json["lag"] == 0 and hook.json["state"] == "active")

        reset, *rest = receiver.receipts[len(first):]
        assert reset.type == "reset" and reset.id == f"reset-{reset.data['to']}" and reset.is_genuine
        assert reset.data["reason"] == "expired" and reset.data["snapshot"] == "/v1/desk/threads"
        floor, head = reset.offset, gateway.get("/v1/info")["head"]
        lost = int(reset.data["from"].rpartition("-")[2])
        assert int(before.rpartition("-")[2]) < lost <= max(each.offset for each in first) < floor < head
        assert [each for each in rest if each.type == "reset"] == []
        assert {each.id for each in rest} == {event.id for event in desk_log(gateway, reset.data["to"])}
        check_order(rest)


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
