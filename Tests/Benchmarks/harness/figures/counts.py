"""How often the gateway calls its allocator, SQLite and the kernel for a request. Tests/Faults holds budgets for them."""

import contextlib
import os

from ..calls import NAMES, Calls, counted, counted_openings, counted_trips
from ..gateway import Gateway
from ..table import Row
from .cxone import Platform

NAME = "counts"
ABOUT = "allocations, statements and system calls of a send, a page, a delivery, a CXone trip and its session's opening"


def measure(bench):
    earlier = os.environ.get("PARLEY_BEFORE")

    @contextlib.contextmanager
    def counting(kind, binary):
        """A gateway of this class, and its counts."""
        with bench.scratch() as folder:
            calls = Calls(bench.program("calls.so"), bench.new_path("calls"))
            prefix = ["env", *(f"{name}={value}" for name, value in calls.environment.items())]
            with kind(bench, folder, prefix=prefix, binary=binary) as gateway:
                yield gateway, calls

    def count(binary=None):
        with counting(Gateway, binary) as (gateway, calls):
            found = counted(calls, gateway.port, gateway.token)
        with counting(Platform, binary) as (platform, there), counting(Gateway, binary) as (gateway, here):
            both, asked = {"gateway": here, "platform": there}, (gateway.port, gateway.token, platform.address("multi"))
            for operation, counted_ones in (("trip", counted_trips), ("opening", counted_openings)):
                found |= {f"CXone {operation}, {process}": counts for process, counts in counted_ones(both, *asked).items()}
        return found

    ours, before = count(), count(earlier) if earlier else {}
    return [
        Row(f"{operation}: {name}", "a request", [found[name]], [before[operation][name]] if before else [],
            "the earlier build" if before else "")
        for operation, found in ours.items() for name in NAMES]
