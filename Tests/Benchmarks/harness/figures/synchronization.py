"""Background synchronization of a remote service, simulated in process, beside raw batches; and live sends beside it."""

import json
import os

from ..processes import Failure, run
from ..table import Row, at_least, at_most
from .durable_send import BATCH, prepared

NAME = "sync"
ABOUT = "background synchronization of 100,000 messages beside raw batches, and live sends while it runs"
# Those of the durable-send figure, and one alone.
WRITERS = (64, 1)
# More than are synchronized while the sends run.
ENDLESS = 400_000


def measure(bench):
    program = binary(bench)
    folder, _ = bench.kept("customers", lambda: prepared(bench))
    messages, seconds = 20_000 if bench.quick else 100_000, bench.seconds(3)

    def ours(*arguments):
        with bench.scratch() as empty:
            command, *rest = map(str, arguments)
            return json.loads(run([program, command, empty, *rest], 120))

    def raw():
        with bench.scratch(folder) as copy:
            text = run([bench.program("rows"), f"{copy}/parley.sqlite", str(seconds), str(BATCH)], seconds + 30)
            return json.loads(text)["rate"]

    filled = bench.interleave(ours=lambda: ours("synchronize", messages)["rate"], peer=raw)
    rows = [Row(
        f"synchronization of {messages:,} messages", "msg/s", filled["ours"], filled["peer"], f"SQLite in C, {BATCH} a commit",
        at_least(0.3), "a page of 100 a commit; rows of history have no events")]
    for writers in WRITERS:
        sends = bench.interleave(
            ours=lambda: ours("send", seconds, writers, ENDLESS), peer=lambda: ours("send", seconds, writers, 0))

        def row(key, unit, target=None, note=""):
            return Row(
                f"live sends beside it, {writers} writer{'s' if writers > 1 else ''}, {key}", unit,
                [run[key] for run in sends["ours"]], [run[key] for run in sends["peer"]], "without it", target, note)

        synchronized = sorted(run["synchronized"] for run in sends["ours"])[len(sends["ours"]) // 2]
        rows += [
            row("p99", "ms", at_most(2), f"{synchronized:,.0f} messages/s are synchronized meanwhile"),
            row("p50", "ms"), row("rate", "msg/s")]
    return rows


def binary(bench):
    path = os.environ.get("SYNC_BENCH_BIN") or os.path.join(os.path.dirname(bench.gateway_binary), "sync-bench")
    if not os.access(path, os.X_OK):
        raise Failure(f"no {path}: build it (swift build -c release --product sync-bench), or name it in SYNC_BENCH_BIN")
    return path
