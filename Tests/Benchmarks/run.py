#!/usr/bin/env python3
"""Measures Parley beside its peers, and prints one table, and which of its targets are missed. It asserts nothing.

Each figure is the median of five runs, the two sides taking turns, with the least and the greatest in brackets;
"ratio" is Parley's median by the peer's. Everything listens on 127.0.0.1 alone, on any free port, and lives in a
temporary folder. Needed: cc, make, libmicrohttpd-dev, libsqlite3-dev, wrk, nginx with libnginx-mod-nchan.
httpx-sse of PyPI is needed for `python`, postgresql-15 and libpq-dev for `postgres`. Synapse is installed from PyPI
into ~/.cache/parley-bench when it is not there.

The gateway is $PARLEY_BIN, or .build/release/parley of this repository; sync-bench, which measures what no program
from outside can, is $SYNC_BENCH_BIN, or stands beside it. So do echo-bench, a bare WebSocket echo of SwiftNIO, and
post-bench, a bare loop of async-http-client.
"""

import argparse
import json
import os
import platform
import signal
import sys
import time
import traceback

# Nothing is left in the sources' folder.
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from harness import figures, table  # noqa: E402
from harness.bench import HERE, Bench  # noqa: E402
from harness.processes import Failure, raise_descriptor_limit  # noqa: E402

BINARY = os.path.join(HERE, "..", "..", ".build", "release", "parley")


def options():
    names = [figure.NAME for figure in figures.ALL]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="figures:\n" + "\n".join(f"  {figure.NAME:<10} {figure.ABOUT}" for figure in figures.ALL))
    parser.add_argument("--only", action="append", choices=names, metavar="NAME", help="this figure alone (may be given again)")
    parser.add_argument("--skip", action="append", choices=names, default=[], metavar="NAME", help="not this figure")
    parser.add_argument("--quick", action="store_true", help="fewer and shorter runs, a smaller database: a look, not a measurement")
    parser.add_argument("--rounds", type=int, help="runs of each side (5; with --quick 3)")
    parser.add_argument("--json", metavar="FILE", help="the same as JSON, with every run; - is standard output, without the table")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="begin no figure after this time, and no further round of one after a sixth of it (900; with --quick 300)")
    parser.add_argument("--gateway-argument", action="append", default=[], metavar="ARGUMENT", help="passed on to parley serve")
    return parser.parse_args()


def say(text):
    print(text, file=sys.stderr, flush=True)


def measure(bench, chosen, limit):
    rows = []
    for figure in chosen:
        if time.monotonic() - bench.started > limit:
            rows.append(table.Row(figure.NAME, "", failure="not begun: the time is over (--limit)"))
            continue
        begun = time.monotonic()
        say(f"{figure.NAME}: {figure.ABOUT}")
        bench.begin(figure.NAME, limit / 6)
        try:
            rows += figure.measure(bench)
        except Failure as failure:
            rows.append(table.Row(figure.NAME, "", failure=str(failure)))
        except Exception:  # A mistake in one figure must not take the others with it.
            rows.append(table.Row(figure.NAME, "", failure=traceback.format_exc(limit=-3)))
        say(f"  {time.monotonic() - begun:.0f} s")
    return rows


def main():
    given = options()
    binary = os.path.abspath(os.environ.get("PARLEY_BIN") or BINARY)
    if not os.access(binary, os.X_OK):
        sys.exit(f"No gateway at {binary}: build it (swift build -c release), or name it in PARLEY_BIN.")
    chosen = [figure for figure in figures.ALL if figure.NAME in (given.only or [figure.NAME]) and figure.NAME not in given.skip]
    # Stopped by a signal, it still removes its folder; its children end by themselves.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    descriptors = raise_descriptor_limit()
    bench = Bench(binary, given.gateway_argument, given.quick, given.rounds, say)
    try:
        bench.build()
        rows = measure(bench, chosen, given.limit or (300 if given.quick else 900))
    except Failure as failure:
        sys.exit(str(failure))
    finally:
        bench.close()
    machine = {
        "cpus": os.cpu_count(), "kernel": platform.release(), "descriptors": descriptors, "load": os.getloadavg()[0],
        "rounds": bench.rounds, "quick": bench.quick,
        "fewer rounds for want of time": ", ".join(bench.shortened) or "none", "seconds": round(time.monotonic() - bench.started)}
    if given.json != "-":
        print(table.render(rows))
        print("\n" + ", ".join(f"{name} {value}" for name, value in machine.items()))
    if given.json:
        with open(1 if given.json == "-" else given.json, "w") as file:
            json.dump({"machine": machine, "rows": [row.json() for row in rows]}, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
