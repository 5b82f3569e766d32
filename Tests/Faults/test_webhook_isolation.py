"""Webhooks do not wait for each other: one whose receiver is dead, one whose receiver takes 14 s, and a fast one."""

import statistics
import threading
import time

from serving import Chat, until
from webhook_receiver import Answer, Hook, Receiver

THREADS, MESSAGES = 5, 20


def say(chat, threads, sent, words):
    """Messages in turns, each with the time at which it was acknowledged."""
    for number in range(MESSAGES):
        for thread in threads:
            message = chat.say(thread, f"{words} {number}")
            sent[message["id"]] = time.monotonic()


def delays(receiver, sent):
    """Seconds from the acknowledgement to the receiver, of the messages that have arrived."""
    came = receiver.got(lambda each: each.type == "message.created" and each.data["message"]["id"] in sent)
    return [each.began - sent[each.data["message"]["id"]] for each in came]


def test_a_dead_and_a_slow_webhook_hold_nobody_up(gw):
    released = threading.Event()

    def slow(_):
        released.wait(14)
        return Answer()

    with Receiver() as fast_receiver, Receiver(slow) as slow_receiver, Receiver() as dead_receiver:
        Hook(gw, fast_receiver)
        chat = Chat(gw)
        threads = [chat.thread() for _ in range(THREADS)]
        alone, beside = {}, {}
        say(chat, threads, alone, "alone")
        until("all to arrive", lambda: len(delays(fast_receiver, alone)) == THREADS * MESSAGES)

        dead_receiver.down()
        others = [Hook(gw, slow_receiver), Hook(gw, dead_receiver)]
        chat.say(threads[0], "the first for the others")
        first = until("the slow one's first request", slow_receiver.got)[0]
        until("the dead one to be seen as such", lambda: others[1].json["state"] == "failing")
        say(chat, threads, beside, "beside the others")
        until("all to arrive", lambda: len(delays(fast_receiver, beside)) == THREADS * MESSAGES)
        # No clock is needed for this: all are there, and the other webhook's first request is not answered yet.
        assert first.ended is None, "the slow webhook was not slow enough to show anything"
        before, after = (statistics.median(delays(fast_receiver, sent)) for sent in (alone, beside))
        print(f"median delay: {before * 1000:.1f} ms alone, {after * 1000:.1f} ms beside a dead and a slow webhook")

        # The slow one and the dead one miss nothing of it.
        released.set()
        dead_receiver.up()
        others[1].post("resume")
        for hook in others:
            until("all to arrive", lambda hook=hook: hook.json["lag"] == 0)
            assert len(delays(hook.receiver, beside)) == len(beside)
