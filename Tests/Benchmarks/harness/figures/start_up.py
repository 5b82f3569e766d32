"""From the start of the process to the first 200 of /readyz, on a large database and on an empty one."""

from ..filling import database
from ..gateway import Gateway
from ..table import Row, at_most, no_more_than
from .long_thread import sizes

NAME = "start"
ABOUT = "time to the first 200 of /readyz on that database, and on an empty one"


def measure(bench):
    large = bench.kept(f"thread {sizes(bench)[1]}", lambda: database(bench, sizes(bench)[1]))
    with bench.scratch() as empty:
        def start(folder):
            with Gateway(bench, folder) as gateway:
                return gateway.seconds_to_ready * 1000

        # The first start makes the database, which is not what is compared.
        start(empty)
        results = bench.interleave(ours=lambda: start(large.folder), peer=lambda: start(empty))
    limit = no_more_than(50, "50 ms")
    return [
        Row("start, empty", "ms", results["peer"], target=limit),
        Row(f"start on {large.count:,} messages", "ms", results["ours"], target=limit),
        Row("the same, beside the empty one", "ms", results["ours"], results["peer"], "Parley, empty", at_most(1.1)),
    ]
