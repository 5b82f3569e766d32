"""The pages of the database that a message writes, alone and in groups. Tests/Faults holds a budget for them."""

import os

from ..gateway import Gateway
from ..pages import alone, in_groups, written
from ..table import Row

NAME = "pages"
ABOUT = "pages of the database that a message with an idempotency key writes, by table and index"


def measure(bench):
    def count(binary):
        with bench.scratch() as folder, Gateway(bench, folder, binary=binary) as gateway:
            return written(f"{folder}/parley.sqlite", gateway.port, gateway.token)

    earlier = os.environ.get("PARLEY_BEFORE")
    ours, before = count(None), count(earlier) if earlier else {}
    rows = []
    for way, words in ((alone, "a message alone"), (in_groups, "a message in groups")):
        found, there = ours[way], before.get(way, {})
        rows.append(Row(
            words, "pages", [sum(found.values())], [sum(there.values())] if there else [], "the earlier build" if there else ""))
        rows += [Row(f"{words}: {name}", "pages", [pages], [there[name]] if name in there else []) for name, pages in found.items()]
    return rows
