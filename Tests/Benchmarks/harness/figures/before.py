"""Send, page and broadcast beside an earlier build of the gateway: what a change costs."""

import json
import os

from ..clients import broadcast, complete, load, wrk
from ..gateway import TEXT, Gateway
from ..table import Row, at_least
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
        with bench.scratch(folder) as copy, Gateway(bench, copy, binary=binary) as gateway:
            return load(bench, gateway.port, CONNECTIONS, seconds, lines)["rate"]

    def page(binary):
        with bench.scratch() as copy, Gateway(bench, copy, binary=binary) as gateway:
            customer = gateway.customer()
            gateway.say(customer, 40)
            return wrk(gateway.port, f"{customer.messages}?limit=20", 64, seconds, customer.token)

    def fan_out(binary):
        with bench.scratch() as copy, Gateway(bench, copy, binary=binary) as gateway:
            customer = gateway.customer()
            [phase] = complete(broadcast(
                bench, gateway.port, STREAMS, [f"{customer.events}?types=message.created\t{customer.token}"], customer.messages,
                json.dumps({"text": "{mark}" + TEXT[23:]}), [(MESSAGES, 0)], token=customer.token, attach="ready"))
            return phase["rate"]

    rows = []
    for what, unit, figure in [
        (f"durable send, {CONNECTIONS} connections", "msg/s", send), ("page of 20, 64 connections", "req/s", page),
        (f"broadcast to {STREAMS:,}", "deliveries/s", fan_out),
    ]:
        results = bench.interleave(ours=lambda: figure(None), peer=lambda: figure(earlier))
        rows.append(Row(what, unit, results["ours"], results["peer"], "the earlier build", at_least(0.97)))
    return rows
