"""Messages sent and on a slow disk, beside the same rows written to it through SQLite's C API.

The files are in memory, so that an fsync takes what is injected and no more.
"""

import json

from ..clients import load
from ..gateway import Gateway
from ..processes import run
from ..table import Row, at_least, no_more_than
from .durable_send import BATCH, CONNECTIONS, prepared

NAME = "slow-disk"
ABOUT = f"durable sends over {CONNECTIONS} connections where an fsync takes 5 ms"
SYNC_MILLISECONDS = 5


def measure(bench):
    folder, customers = bench.kept("customers", lambda: prepared(bench))
    lines = [customer.send_line() for customer in customers]
    seconds = bench.seconds(3)
    slow = ["env", f"LD_PRELOAD={bench.program('slow.so')}", f"SYNC_MILLISECONDS={SYNC_MILLISECONDS}"]

    def ours():
        with bench.scratch(folder, in_memory=True) as copy, Gateway(bench, copy, prefix=slow) as gateway:
            return load(bench, gateway.port, CONNECTIONS, seconds, lines)

    def peer():
        with bench.scratch(folder, in_memory=True) as copy:
            text = run([*slow, bench.program("rows"), f"{copy}/parley.sqlite", str(seconds), str(BATCH)], seconds + 30)
            return json.loads(text)["rate"]

    results = bench.interleave(ours=ours, peer=peer)
    label = f"send where an fsync takes {SYNC_MILLISECONDS} ms, {CONNECTIONS} connections"
    return [
        Row(label, "msg/s", [run["rate"] for run in results["ours"]], results["peer"], f"SQLite in C, {BATCH} a commit", at_least(0.8)),
        Row(f"{label}, p99", "ms", [run["p99"] for run in results["ours"]],
            target=no_more_than(3 * SYNC_MILLISECONDS, f"3 fsyncs, {3 * SYNC_MILLISECONDS} ms")),
    ]
