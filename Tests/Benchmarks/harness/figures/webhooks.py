"""What webhooks cost a send, and how fast they are beside a bare HTTP client that posts the same bodies."""

import contextlib
import json
import os
import subprocess

from ..clients import load
from ..gateway import Gateway
from ..processes import Process, run, wait_until
from ..table import Row, Target, at_least
from .cxone import binary

NAME = "webhooks"
ABOUT = "a send with 0 and with 10 webhooks, and their throughput beside a bare async-http-client"
HOOKS = 10
# Messages a second over all connections: nobody is busy. As many again are changes of threads, which hooks get as well.
RATE = 50
CONNECTIONS = 8
# Threads, and attempts in flight at once: a webhook's default.
CONCURRENCY = 8
BACKLOG = 10_000


def measure(bench):
    post = binary(bench, "post-bench")
    return [*sends(bench), throughput(bench, post)]


# -- sends


def sends(bench):
    with contextlib.ExitStack() as stack:
        sides = {name: stack.enter_context(side(bench, count)) for name, count in (("without", 0), ("with", HOOKS))}
        seconds = bench.seconds(5)
        paced = bench.interleave(**{
            name: lambda one=one: load(bench, one[0].port, CONNECTIONS, seconds, one[1], RATE)
            for name, one in sides.items()})
        # Last, for what it leaves behind is sent for a while.
        closed = bench.interleave(**{
            name: lambda one=one: once_closed(bench, one, bench.seconds(2)) for name, one in sides.items()})

    def row(what, results, key, unit, target=None, note=""):
        runs = {name: [result[key] for result in results[name]] for name in sides}
        return Row(
            f"a send with {HOOKS} webhooks, {what}", unit, runs["with"], runs["without"], "Parley, no webhook", target,
            note)

    same = Target("0.95-1.05 of peer", lambda ours, peer: 0.95 * peer <= ours <= 1.05 * peer)
    return [
        row(f"{RATE} msg/s, p50", paced, "p50", "ms", same, f"{2 * HOOKS * RATE} deliveries/s meanwhile"),
        row(f"{RATE} msg/s, p99", paced, "p99", "ms"),
        row("64 in a closed loop, p50", closed, "p50", "ms", note="deliveries take their share of the processors"),
        row("64 in a closed loop", closed, "rate", "msg/s"),
    ]


def once_closed(bench, one, seconds):
    gateway, lines = one
    result = load(bench, gateway.port, 64, seconds, lines)
    # What is left to be sent must not meet the next measurement: but for what was taken, webhooks go on from now.
    api = gateway.api()
    head = api.call("GET", "/v1/desk/threads?limit=1")["cursor"]
    for hook in api.call("GET", "/v1/webhooks")["items"]:
        for action, body in (("pause", None), ("replay", {"after": head}), ("resume", None)):
            api.call("POST", f"/v1/webhooks/{hook['id']}/{action}", body)
    api.close()
    return result


@contextlib.contextmanager
def side(bench, hooks):
    """A gateway with customers and webhooks, each with its own receiver; the gateway, and the lines of the load."""
    with contextlib.ExitStack() as stack:
        gateway = stack.enter_context(Gateway(bench, stack.enter_context(bench.scratch())))
        api = gateway.api()
        for _ in range(hooks):
            sink = stack.enter_context(Sink(bench))
            api.call("POST", "/v1/webhooks", {"url": sink.url})
        api.close()
        yield gateway, [customer.send_line() for customer in gateway.customers(64)]


# -- throughput


def throughput(bench, post):
    count = BACKLOG // 4 if bench.quick else BACKLOG
    folder, body = bench.new_path("backlog"), bench.new_path("body")
    os.mkdir(folder)
    with Gateway(bench, folder) as gateway:
        api = gateway.api()
        # Its events wait in the log.
        start = api.call("GET", "/v1/desk/threads?limit=1")["cursor"]
        customers = gateway.customers(CONCURRENCY)
        api.close()
        lines, sent = [customer.send_line() for customer in customers], 0
        while sent < count:
            sent += load(bench, gateway.port, CONCURRENCY, 0.5, lines)["answered"]

    def ours():
        with bench.scratch(folder) as copy, Gateway(bench, copy) as gateway, Sink(bench, count, body) as sink:
            api = gateway.api()
            api.call("POST", "/v1/webhooks", {
                "url": sink.url, "after": start, "types": ["message.created"], "concurrency": CONCURRENCY})
            api.close()
            return sink.result()["rate"]

    def peer():
        with Sink(bench, count) as sink:
            run([post, str(sink.port), str(CONCURRENCY), str(count), body], 60)
            return sink.result()["rate"]

    # Once before, for the body that the peer posts.
    ours()
    results = bench.interleave(ours=ours, peer=peer)
    return Row(
        f"a webhook's deliveries, {CONCURRENCY} at once", "msg/s", results["ours"], results["peer"],
        "bare async-http-client", at_least(0.5),
        f"{count:,} events that wait in the log; bodies of {os.path.getsize(body)} bytes")


class Sink:
    """A receiver that costs next to nothing; see peers/sink.c. It measures after a tenth of the requests."""

    def __init__(self, bench, count=0, body=None):
        self.arguments = [bench.program("sink"), "-n", str(count), "-w", str(count // 10)]
        self.arguments += ["-o", body] if body else []
        self.log = bench.new_path("sink.log")

    def __enter__(self):
        self.process = Process(self.arguments, self.log, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self._line().removeprefix("port "))
        return self

    def __exit__(self, *_):
        self.process.stop()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def result(self):
        return json.loads(self._line())

    def _line(self):
        os.set_blocking(self.process.child.stdout.fileno(), False)
        line = wait_until(self.process.child.stdout.readline, "the receiver's word", self.process, 90)
        return line.decode()
