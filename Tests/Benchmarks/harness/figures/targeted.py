"""An event for one stream, while 100 or 10,000 streams of other accounts are idle."""

import contextlib
import json

from ..clients import broadcast, complete, held
from ..gateway import TEXT, Gateway
from ..table import Row, at_most

NAME = "targeted"
ABOUT = "publish-to-delivery to one stream beside 100 and 10,000 idle ones of other accounts"
FEW, MANY = 100, 10_000
RATE = 100


def measure(bench):
    few, many = FEW, 2_000 if bench.quick else MANY
    phases = [(round(RATE * bench.seconds(3)), RATE)]
    with contextlib.ExitStack() as stack:
        few_side, many_side = [stack.enter_context(crowd(bench, count)) for count in (few, many)]
        results = bench.interleave(few=lambda: once(bench, *few_side, phases), many=lambda: once(bench, *many_side, phases))

    def row(key, target):
        return Row(
            f"targeted event, {many:,} idle streams, {key}", "ms", [r[key] for r in results["many"]], [r[key] for r in results["few"]],
            f"Parley, {few} idle", target)

    return [row("p50", at_most(1.1)), row("p99", None)]


@contextlib.contextmanager
def crowd(bench, count):
    """A gateway with idle streams, each of an account of its own, and a customer to write to."""
    with bench.scratch() as folder, Gateway(bench, folder) as gateway:
        idle = [f"{customer.events}\t{customer.token}" for customer in gateway.customers(count, thread=False)]
        customer = gateway.customer()
        with held(bench, gateway.port, count, idle, attach="ready"):
            yield gateway, customer


def once(bench, gateway, customer, phases):
    return complete(broadcast(
        bench, gateway.port, 1, [f"{customer.events}?types=message.created\t{customer.token}"], customer.messages,
        json.dumps({"text": "{mark}" + TEXT[23:]}), phases, token=customer.token, attach="ready"))[0]
