"""python Tests/Faults/model --operations 100000 --seed 1 --binary PATH

Carries out random operations of customers and desk on a gateway and on a model of what must be readable, with restarts
between, and compares. A run that fails prints its seed, the operation that noticed, and a shorter list of operations
that still fails; `--steps FILE` carries out such a list.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from model.exploration import carry_out, explore
from model.run import OPERATIONS


def main():
    parser = argparse.ArgumentParser(
        prog="model", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--operations", type=int, default=2000)
    parser.add_argument("--seed", type=int, help="a random one if absent")
    parser.add_argument("--runs", type=int, default=1, help="so many seeds, each the one before plus one")
    parser.add_argument("--customers", type=int, default=4, help="on the multi-thread channel; there are three others")
    parser.add_argument("--restart-every", type=int, default=1000)
    parser.add_argument("--shrink", type=float, default=120, help="seconds spent on a shorter list")
    parser.add_argument("--steps", help="a file with a list of operations to carry out")
    parser.add_argument("--binary", default=os.environ.get("PARLEY_BIN"), help="the gateway; PARLEY_BIN if absent")
    options = parser.parse_args()
    if not options.binary:
        parser.error("--binary or PARLEY_BIN must name the gateway")
    os.environ["PARLEY_BIN"] = options.binary
    # Who ends the program ends its gateway too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if options.steps:
        with open(options.steps) as file:
            fault, done, _ = carry_out([tuple(step) for step in json.load(file)], options.customers)
        print(f"{done} operations; {fault!r}")
        return 1 if fault else 0
    first = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
    failed = []
    for seed in range(first, first + options.runs):
        if explore(
            seed,
            options.operations,
            options.customers,
            options.restart_every,
            options.shrink,
            lambda text: print(text, flush=True),
        ):
            failed.append(seed)
    print(f"{len(OPERATIONS)} kinds of operations; failed seeds: {failed or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
