"""A thread with 1,000,000 messages, beside one with 1,000."""

from ..clients import load
from ..filling import database
from ..gateway import Customer, Gateway
from ..table import Row, at_most

NAME = "million"
ABOUT = "page and send in a thread of 1,000,000 messages beside one of 1,000"
READERS = 16
WRITERS = 64


def measure(bench):
    seconds = bench.seconds(1.5)
    small, large = (bench.kept(f"thread {count}", lambda: database(bench, count)) for count in sizes(bench))
    with Gateway(bench, small.folder) as short, Gateway(bench, large.folder) as long:
        sides = {"peer": (short, small), "ours": (long, large)}

        def cost(connections, line):
            """Microseconds of the gateway's time a request: what the whole took by how many there were."""
            def one(gateway, filled):
                return 1e6 / load(bench, gateway.port, connections, seconds, [line(filled)])["rate"]
            return bench.interleave(**{name: lambda side=side: one(*side) for name, side in sides.items()})

        results = {
            "first page": cost(READERS, lambda filled: filled.customer.page_line()),
            "page in the middle": cost(READERS, lambda filled: filled.customer.page_line(f"limit=20&cursor={filled.middle}")),
        }

    def send(filled, folder, line):
        with Gateway(bench, folder) as gateway:
            return 1e6 / load(bench, gateway.port, WRITERS, seconds, [line(filled.customer)])["rate"]

    def send_to_short(line):
        # Each run begins with a short thread: the one before has made it twenty times as long.
        with bench.scratch(small.folder) as copy:
            return send(small, copy, line)

    # Ids in the order of time change pages of an index that are in memory already, and random ids those that are not.
    for what, line in [("send", Customer.send_line_without_id), ("send with a random id", Customer.send_line)]:
        results[what] = bench.interleave(
            ours=lambda line=line: send(large, large.folder, line), peer=lambda line=line: send_to_short(line))
    rows = [
        Row(f"{large.count:,} messages, {what}", "us", result["ours"], result["peer"], f"Parley, {small.count:,} messages", at_most(1.1))
        for what, result in results.items()]
    middle, first = (results[what]["ours"] for what in ("page in the middle", "first page"))
    return rows + [Row(f"{large.count:,} messages, page in the middle", "us", middle, first, "the first page", at_most(2))]


def sizes(bench):
    return (1_000, 200_000 if bench.quick else 1_000_000)
