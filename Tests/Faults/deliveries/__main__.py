"""python Tests/Faults/deliveries --rounds 200 --seed 1 --binary PATH

Webhooks with random settings, receivers that are slow, fail, cut connections and are down for a while, and kill -9 of
the gateway in the middle. At the end of a round the receivers have all events of the log that are for them, first
receipts ascend within each thread, and an event came again only where its attempt had failed. A round that fails leaves
its folder, and says how to repeat it.
"""

import argparse
import os
import pathlib
import signal
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from deliveries.run import Rounds


def main():
    parser = argparse.ArgumentParser(
        prog="deliveries", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--binary", default=os.environ.get("PARLEY_BIN"), help="the gateway; PARLEY_BIN if absent")
    parser.add_argument("--folder", default=None, help="where rounds that fail leave their folders")
    options = parser.parse_args()
    if not options.binary:
        parser.error("--binary or PARLEY_BIN must name the gateway")
    os.environ["PARLEY_BIN"] = options.binary
    # Who ends the program ends its gateway too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    folder = options.folder or tempfile.mkdtemp(prefix="parley-deliveries-")
    rounds = Rounds(folder, report=lambda line: print(line, flush=True))
    is_good = rounds.run(options.rounds, options.seed)
    print(rounds.summary())
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
