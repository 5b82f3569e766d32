"""python Tests/Faults/soak --minutes 60 --streams 2000 --rate 50 --binary PATH --csv FILE

Prints a line a minute and the figures at the end. The exit code is 1 when a figure is over its limit.
"""

import argparse
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from soak.run import Soak
from soak.verdict import Verdict


def main():
    parser = argparse.ArgumentParser(
        prog="soak", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--streams", type=int, default=2000)
    parser.add_argument("--rate", type=float, default=50, help="messages a second")
    parser.add_argument("--warm-up", type=float, default=None, help="minutes that do not count; a fifth if absent")
    parser.add_argument("--every", type=float, default=10, help="seconds between two samples")
    parser.add_argument("--rest", type=float, default=90, help="seconds that are measured after all clients have left")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kinds of visits, separated by commas; all if absent")
    parser.add_argument("--binary", default=os.environ.get("PARLEY_BIN"), help="the gateway; PARLEY_BIN if absent")
    parser.add_argument("--csv", default="soak.csv", help="where the samples go")
    options = parser.parse_args()
    if not options.binary:
        parser.error("--binary or PARLEY_BIN must name the gateway")
    os.environ["PARLEY_BIN"] = options.binary
    only = [kind for kind in options.only.split(",") if kind]
    soak = Soak(options.streams, options.rate, options.seed, csv=options.csv, only=only)
    soak.run(options.minutes * 60, options.every, options.rest, report=lambda line: print(line, flush=True))
    warm_up = options.minutes / 5 if options.warm_up is None else options.warm_up
    verdict = Verdict(soak.samples, warm_up * 60)
    print(verdict)
    print(soak.summary())
    for fault in soak.faults[:10]:
        print(f"FAULT {fault}")
    return 1 if verdict.faults or soak.faults else 0


if __name__ == "__main__":
    sys.exit(main())
