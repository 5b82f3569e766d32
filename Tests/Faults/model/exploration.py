"""Runs of one seed: carried out, and shortened where they fail."""

import json
import tempfile
import time

from . import desk, faults, messages, sessions, threads, windows  # noqa: F401 - they register their operations
from .run import Run, plan
from .shrink import shrink
from .streaming import check_everything


def carry_out(steps, customers, report=None):
    """The fault or None, the number of operations done, and the run.

    At the end everything is compared.
    """
    run = Run(customers)
    done = 0
    try:
        run.start()
        for name, seed in steps:
            run.step(name, seed)
            done += 1
            if report and done % 5000 == 0:
                report(run, done)
        check_everything(run)
        return None, done, run
    except Exception as fault:  # a fault of any kind ends the run, and is what is shrunk
        fault.log = run.gateway.log() if run.gateway.process else ""
        return fault, done, run
    finally:
        run.close()


def explore(seed, operations, customers, restart_every, shrink_seconds, out=print):
    """Runs one seed. Returns the fault, or None."""
    steps = plan(seed, operations, restart_every)
    begin = time.monotonic()
    fault, done, run = carry_out(
        steps,
        customers,
        lambda run, done: out(f"  {done} operations, {run.requests} requests, {time.monotonic() - begin:.0f} s"),
    )
    out(
        f"seed {seed}: {done} of {operations} operations, {run.requests} requests, "
        f"{sum(each.events for each in run.replicas)} events followed, {time.monotonic() - begin:.0f} s"
    )
    out("  " + ", ".join(f"{name} {count}" for name, count in sorted(run.counts.items())))
    if fault is None:
        return None
    steps = steps[: done + 1]
    out(f"seed {seed} FAILED at operation {done}, {steps[-1]}:\n  {type(fault).__name__}: {fault}\n{fault.log[-800:]}")
    if shrink_seconds:
        shorter = shrink(steps, lambda some: carry_out(some, customers)[0], shrink_seconds)
        last = carry_out(shorter, customers)[0]
        with tempfile.NamedTemporaryFile("w", prefix=f"model-{seed}-", suffix=".json", delete=False) as file:
            json.dump(shorter, file)
        out(f"{len(shorter)} operations are enough, in {file.name}: {last}")
        if len(shorter) <= 60:
            out("  " + " ".join(f"{name}:{number}" for name, number in shorter))
    return fault
