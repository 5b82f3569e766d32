"""The desk's lists and counts with 100,000 open conversations that wait, beside 1,000 of them."""

from ..population import populated
from ..table import Row, at_most
from .durable_send import CONNECTIONS, prepared
from .growth import FEW, READERS, costs, reading

NAME = "desk"
ABOUT = "lists, counts and a send with 100,000 open conversations, beside 1,000"


def measure(bench):
    many = 10_000 if bench.quick else 100_000
    base, customers = bench.kept("customers", lambda: prepared(bench))
    few_folder, many_folder = (
        bench.kept(f"threads {count}", lambda: populated(bench, base, "threads", count)) for count in (FEW, many))
    sends = [customer.send_line() for customer in customers]
    results = costs(bench, few_folder, many_folder, {
        "page of those who wait longest": (READERS, reading("/v1/desk/threads?order=waiting&snoozed=exclude&limit=20")),
        "page of nobody's": (READERS, reading("/v1/desk/threads?state=open&order=waiting&agent=none&snoozed=exclude&limit=20")),
        "page by activity": (READERS, reading("/v1/desk/threads?state=open&limit=20")),
        "send": (CONNECTIONS, lambda gateway: sends),
        # They count up to 10,000 of each.
        "counts": (READERS, reading("/v1/desk/counts")),
    })
    targets = {"send": at_most(1.1), "counts": None}
    return [
        Row(f"{many:,} open, {what}", "us", result["ours"], result["peer"], f"Parley, {FEW:,}", targets.get(what, at_most(1.2)))
        for what, result in results.items()]
