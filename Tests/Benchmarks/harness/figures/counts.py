"""How often the gateway calls its allocator, SQLite and the kernel for a request. Tests/Faults holds budgets for them."""

import os

from ..calls import NAMES, Calls, counted
from ..gateway import Gateway
from ..table import Row

NAME = "counts"
ABOUT = "allocations, statements and system calls of a send, a page and a delivery"


def measure(bench):
    earlier = os.environ.get("PARLEY_BEFORE")

    def count(binary=None):
        with bench.scratch() as folder:
            calls = Calls(bench.program("calls.so"), bench.new_path("calls"))
            prefix = ["env", *(f"{name}={value}" for name, value in calls.environment.items())]
            with Gateway(bench, folder, prefix=prefix, binary=binary) as gateway:
                return counted(calls, gateway.port, gateway.token)

    ours, before = count(), count(earlier) if earlier else {}
    return [
        Row(f"{operation}: {name}", "a request", [found[name]], [before[operation][name]] if before else [],
            "the earlier build" if before else "")
        for operation, found in ours.items() for name in NAMES]
