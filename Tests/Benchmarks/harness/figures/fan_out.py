"""One message to many streams, beside nchan with the same payload."""

import json

from ..clients import broadcast, complete
from ..gateway import TEXT, Gateway
from ..nchan import Nchan
from ..processes import raise_descriptor_limit
from ..table import Row, at_least, at_most

NAME = "broadcast"
ABOUT = "broadcast to 1,000 and 10,000 streams: deliveries a second, and latency at a fixed rate"
# Streams, messages of the closed loop, the fixed rate, and the ratio to reach: about as many deliveries with each
# number of streams.
SIZES = [(1_000, 200, 40, 1.3), (10_000, 20, 4, 1.5)]
FIXED_SECONDS = 3


def measure(bench):
    rows = []
    for streams, messages, rate, ratio in SIZES:
        phases = [(messages // 2 if bench.quick else messages, 0), (round(rate * bench.seconds(FIXED_SECONDS)), rate)]
        rows += compare(bench, streams, phases, ratio)
    return rows


def compare(bench, streams, phases, ratio):
    size = event_size(bench)

    def ours():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            customer = gateway.customer()
            return complete(broadcast(
                bench, gateway.port, streams, [f"{customer.events}?types=message.created\t{gateway.token}"], customer.messages,
                json.dumps({"text": "{mark}" + TEXT[23:]}), phases, token=customer.token, attach="ready"))

    def nchan(workers, phases=phases):
        with Nchan(bench, workers, raise_descriptor_limit()) as server:
            body = "{mark}" + "x" * (size - 23)
            return broadcast(bench, server.port, streams, ["/events"], "/publish", body, phases, content="text/plain")

    # Which of nchan's two set-ups is the better one is tried first, by what a closed loop delivers.
    tried = {workers: nchan(workers, phases[:1])[0]["rate"] for workers in (1, 2)}
    workers = max(tried, key=tried.get)
    results = bench.interleave(ours=ours, peer=lambda: nchan(workers))
    name = f"nchan, {workers} worker{'s' if workers > 1 else ''}"
    note = f"{size} bytes an event; nchan with 1 and 2 workers: {tried[1]:,.0f} and {tried[2]:,.0f} deliveries/s"
    lost = sum(phase["lost"] for result in results["peer"] for phase in result)
    if lost:
        # Its rate and its latencies are of what it delivered.
        note += f"; nchan lost {lost:,} deliveries"

    def values(side, phase, key):
        return [result[phase][key] for result in results[side]]

    rate = phases[1][1]
    label = f"broadcast to {streams:,}"
    return [
        Row(label, "deliveries/s", values("ours", 0, "rate"), values("peer", 0, "rate"), name, at_least(ratio), note),
        Row(f"{label}, p99, closed loop", "ms", values("ours", 0, "p99"), values("peer", 0, "p99"), name, at_most(1)),
        Row(f"{label}, p50, {rate} msg/s", "ms", values("ours", 1, "p50"), values("peer", 1, "p50"), name),
        Row(f"{label}, p99, {rate} msg/s", "ms", values("ours", 1, "p99"), values("peer", 1, "p99"), name, at_most(1)),
    ]


def event_size(bench):
    """Bytes of the data of one `message.created`: the message in an envelope that names the thread."""
    with bench.scratch() as folder, Gateway(bench, folder) as gateway:
        customer = gateway.customer()
        return len(gateway.say(customer)) + len('{"threadId":"","message":}') + len(customer.thread)
