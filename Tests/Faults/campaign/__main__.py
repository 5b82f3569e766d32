"""python Tests/Faults/campaign --rounds 500 --seed 1 --kinds kill,disk --binary PATH

Ends with the number of rounds of each kind. A round that fails leaves its folder, and says how to repeat it.
"""

import argparse
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from campaign.run import ALL, Campaign


def main():
    names = [kind.__name__ for kind in ALL]
    parser = argparse.ArgumentParser(
        prog="campaign", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=len(names))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(names), help="separated by commas; they take turns")
    parser.add_argument("--binary", default=os.environ.get("PARLEY_BIN"), help="the gateway; PARLEY_BIN if absent")
    parser.add_argument("--folder", default=None, help="where rounds that fail leave their folders")
    options = parser.parse_args()
    if not options.binary:
        parser.error("--binary or PARLEY_BIN must name the gateway")
    os.environ["PARLEY_BIN"] = options.binary
    chosen = options.kinds.split(",")
    if set(chosen) - set(names):
        parser.error(f"kinds are {', '.join(names)}")
    folder = options.folder or tempfile.mkdtemp(prefix="parley-campaign-")
    campaign = Campaign(folder, report=lambda line: print(line, flush=True))
    is_good = campaign.run(options.rounds, options.seed, chosen)
    print(campaign.summary())
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
