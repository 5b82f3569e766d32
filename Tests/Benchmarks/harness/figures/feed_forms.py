"""The forms of a feed beside one another: JSON lines and Server-Sent Events, pages that wait and streams that are idle."""

import json
import time

from ..clients import broadcast, complete, held
from ..gateway import TEXT, Gateway
from ..table import Row, at_least, at_most

NAME = "forms"
ABOUT = "a feed as JSON lines beside SSE; 1,000 pages that wait beside 1,000 idle streams"
STREAMS = 1_000
# Messages of the closed loop.
MESSAGES = 200
# Sends to somebody else while readers wait.
SENDS = 500
FORMS = {"lines": "application/jsonl", "sse": "text/event-stream"}


def measure(bench):
    return lines(bench) + waiting(bench)


def lines(bench):
    """Deliveries a second to streams of one form or the other, with the gateway's processor time for each."""
    messages = MESSAGES // 2 if bench.quick else MESSAGES

    def run(form):
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            customer = gateway.customer()
            begun = gateway.process.processor_seconds()
            result = complete(broadcast(
                bench, gateway.port, STREAMS, [f"{customer.events}?types=message.created\t{gateway.token}\t{FORMS[form]}"],
                customer.messages, json.dumps({"text": "{mark}" + TEXT[23:]}), [(messages, 0)], token=customer.token, attach="ready"))[0]
            return {**result, "each": 1e6 * (gateway.process.processor_seconds() - begun) / result["delivered"]}

    results = bench.interleave(ours=lambda: run("lines"), peer=lambda: run("sse"))
    label = f"JSON lines to {STREAMS:,} streams"
    return [
        Row(f"{label}{words}", unit, [each[key] for each in results["ours"]], [each[key] for each in results["peer"]], "as SSE", target)
        for words, unit, key, target in [
            ("", "deliveries/s", "rate", at_least(0.95)), (", p99", "ms", "p99", None), (", processor time", "us/delivery", "each", at_most(1.05))]]


def waiting(bench):
    """What readers that wait cost in memory, and in processor time while somebody else is written to."""
    sends = SENDS // 5 if bench.quick else SENDS

    def run(path, attach, is_waiting):
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            reader, other = gateway.customer(), gateway.customer()
            request = path.format(events=reader.events, token=gateway.token)
            with held(bench, gateway.port, 100, [request], attach, is_waiting):
                before = settled(gateway)
                with held(bench, gateway.port, STREAMS, [request], attach, is_waiting):
                    memory = (settled(gateway) - before) / STREAMS
                    begun = gateway.process.processor_seconds()
                    gateway.say(other, sends)
                    return {"memory": memory, "time": 1e6 * (gateway.process.processor_seconds() - begun) / sends}

    results = bench.interleave(
        ours=lambda: run("{events}?wait=50\t{token}\tapplication/json", None, True), peer=lambda: run("{events}\t{token}", "ready", False))
    return [
        Row(f"{STREAMS:,} pages that wait, {words}", unit, [each[key] for each in results["ours"]],
            [each[key] for each in results["peer"]], "idle streams", at_most(1))
        for words, unit, key in [("memory of one", "bytes", "memory"), ("processor time of a send to another", "us", "time")]]


def settled(gateway):
    time.sleep(0.5)
    return gateway.process.resident()
