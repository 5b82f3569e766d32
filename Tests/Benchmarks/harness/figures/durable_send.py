"""Messages sent and on the disk, beside the same rows written through SQLite's C API."""

import glob
import json
import os

from ..calls import NAMES, Calls
from ..clients import load
from ..gateway import Gateway
from ..processes import run
from ..table import Row, at_least, no_more_than

NAME = "send"
ABOUT = "durable sends over 64 connections, and fsyncs a message"
CONNECTIONS = 64
BATCH = 32


def prepared(bench, binary=None):
    """A data folder with a customer for each connection, each thread with a message: both sides begin on copies of it."""
    folder = bench.new_path("customers")
    os.mkdir(folder)
    with Gateway(bench, folder, binary=binary) as gateway:
        customers = gateway.customers(CONNECTIONS)
        for customer in customers:
            gateway.say(customer)
    return folder, customers


# A log that retention keeps at its limit: each send then also deletes what its events push out. A gateway reaches
# this after half a million messages by default; here, while the load warms up.
FULL_LOG = ["--retention-events", "5000"]
WARM_UP_SECONDS = 1


def measure(bench):
    folder, customers = bench.kept("customers", lambda: prepared(bench))
    lines = [customer.send_line() for customer in customers]
    seconds = bench.seconds(3)

    def ours(arguments=(), searchable=True):
        prefix = [] if searchable else ["env", f"LD_PRELOAD={bench.program('nosearch.so')}"]
        with bench.scratch(folder) as copy:
            if not searchable:
                forget_index(copy)
            with Gateway(bench, copy, arguments, prefix) as gateway:
                if arguments:
                    load(bench, gateway.port, CONNECTIONS, WARM_UP_SECONDS, lines)
                result = load(bench, gateway.port, CONNECTIONS, seconds, lines)
            if searchable != os.path.exists(f"{copy}/search.sqlite"):
                raise Failure("the search index is not as it is meant to be")
            return result

    def peer():
        with bench.scratch(folder) as copy:
            text = run([bench.program("rows"), f"{copy}/parley.sqlite", str(seconds), str(BATCH)], seconds + 30)
            return json.loads(text)["rate"]

    results = bench.interleave(ours=ours, peer=peer, full=lambda: ours(FULL_LOG), unsearched=lambda: ours(searchable=False))

    def values(side, key):
        return [result[key] for result in results[side]]

    beside = f"SQLite in C, {BATCH} a commit"
    return [
        Row("durable send, 64 connections", "msg/s", values("ours", "rate"), results["peer"], beside, at_least(0.7)),
        Row("durable send, 64 connections, p99", "ms", values("ours", "p99")),
        Row("durable send, log at its limit", "msg/s", values("full", "rate"), results["peer"], beside, note="no figure of its own"),
        Row("durable send, with the search index", "msg/s", values("ours", "rate"), values("unsearched", "rate"),
            "Parley without it", at_least(0.95), note="the index follows the log on a thread of its own, and takes its share of the processors"),
        Row("durable send, with the search index, p99", "ms", values("ours", "p99"), values("unsearched", "p99"),
            "Parley without it"),
        fsyncs(bench, folder, lines, "fsyncs a message, 64 connections", ()),
        fsyncs(bench, folder, lines, "fsyncs a message, log at its limit", FULL_LOG),
    ]


def forget_index(folder):
    """An index that is there afterwards was made by the gateway."""
    for name in glob.glob(f"{folder}/search.sqlite*"):
        os.remove(name)


def fsyncs(bench, folder, lines, what, arguments):
    """Counted inside of the gateway, in a run of its own: strace would stop it at each. The search index's are left out."""
    calls = Calls(bench.program("calls.so"), bench.new_path("calls"))
    prefix = ["env", *(f"{name}={value}" for name, value in calls.environment.items())]
    with bench.scratch(folder) as copy, Gateway(bench, copy, arguments, prefix) as gateway:
        if arguments:
            load(bench, gateway.port, CONNECTIONS, WARM_UP_SECONDS, lines)
        before = calls.read()
        result = load(bench, gateway.port, CONNECTIONS, bench.seconds(2), lines)
        count = calls.read()[NAMES.index("syncs")] - before[NAMES.index("syncs")]
    return Row(
        what, "", [count / result["answered"]], target=no_more_than(1 / 8, "1/8"),
        note=f"{count} fsyncs for {result['answered']:,} messages")
