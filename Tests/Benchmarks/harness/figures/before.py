"""Sends with their processor time, pages and broadcasts beside an earlier build of the gateway: what a change costs."""

import json
import os

from ..clients import broadcast, complete, load, wrk
from ..gateway import TEXT, Gateway
from ..table import Row, at_least, at_most
from .durable_send import CONNECTIONS, prepared

NAME = "before"
ABOUT = "send, page and broadcast beside the build of $PARLEY_BEFORE"
STREAMS, MESSAGES = 1_000, 100


def measure(bench):
    earlier = os.environ.get("PARLEY_BEFORE")
    if not earlier:
        return []
    # Made by the earlier build: the later one migrates its copy, never the other way round.
    folder, customers = prepared(bench, earlier)
    lines = [customer.send_line() for customer in customers]
    seconds = bench.seconds(3)

    def send(binary):
        """How many a second, and microseconds of the processors each."""
        with bench.scratch(folder) as copy, Gateway(bench, copy, binary=binary) as gateway:
            before = gateway.process.processor_seconds()
            result = load(bench, gateway.port, CONNECTIONS, seconds, lines)
            return result["rate"], 1e6 * (gateway.process.processor_seconds() - before) / result["answered"]

    def page(binary):
        with bench.scratch() as copy, Gateway(bench, copy, binary=binary) as gateway:
            customer = gateway.customer()
            gateway.say(customer, 40)
            return wrk(gateway.port, f"{customer.messages}?limit=20", 64, seconds, customer.token)

    def fan_out(binary):
        with bench.scratch() as copy, Gateway(bench, copy, binary=binary) as gateway:
            customer = gateway.customer()
            [phase] = complete(broadcast(
                bench, gateway.port, STREAMS, [f"{customer.events}?types=message.created\t{gateway.token}"], customer.messages,
                json.dumps({"text": "{mark}" + TEXT[23:]}), [(MESSAGES, 0)], token=customer.token, attach="ready"))
            return phase["rate"]

    def beside(figure):
        return bench.interleave(ours=lambda: figure(None), peer=lambda: figure(earlier))

    def row(what, unit, results, target):
        return Row(what, unit, results["ours"], results["peer"], "the earlier build", target)

    sends = beside(send)
    rates, processor = ({side: [run[index] for run in runs] for side, runs in sends.items()} for index in (0, 1))
    label = f"durable send, {CONNECTIONS} connections"
    return [
        row(label, "msg/s", rates, at_least(0.97)),
        row(f"{label}, processor time", "us a send", processor, at_most(0.5)),
        row("page of 20, 64 connections", "req/s", beside(page), at_least(0.97)),
        row(f"broadcast to {STREAMS:,}", "deliveries/s", beside(fan_out), at_least(0.97)),
    ]
