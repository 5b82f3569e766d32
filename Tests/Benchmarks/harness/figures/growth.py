"""1,000,000 threads at the desk, and as many sessions, beside 1,000 of them."""

from ..clients import load
from ..gateway import Gateway
from ..population import populated
from ..processes import Failure
from ..table import Row, at_most
from .durable_send import CONNECTIONS, prepared

NAME = "growth"
ABOUT = "page, send and start with 1,000,000 threads at the desk, and with 1,000,000 sessions, beside 1,000"
READERS = 16
FEW = 1_000


def measure(bench):
    rows = []
    for kind, quick, path, words in [
        ("threads", 20_000, "/v1/desk/threads?limit=20", "threads at the desk"),
        ("sessions", 5_000, "/v1/sessions?limit=20", "sessions stored"),
    ]:
        many = quick if bench.quick else 1_000_000
        try:
            rows += grown(bench, kind, many, path, words)
        except Failure as failure:
            rows.append(Row(f"{many:,} {words}", "", failure=str(failure)))
    return rows


def grown(bench, kind, many, path, words):
    base, customers = bench.kept("customers", lambda: prepared(bench))
    few_folder, many_folder = (
        bench.kept(f"{kind} {count}", lambda: populated(bench, base, kind, count)) for count in (FEW, many))
    sends = [customer.send_line() for customer in customers]

    def start(folder):
        with Gateway(bench, folder) as gateway:
            return gateway.seconds_to_ready * 1000

    starts = bench.interleave(ours=lambda: start(many_folder), peer=lambda: start(few_folder))
    results = costs(bench, few_folder, many_folder, {
        "page of them": (READERS, reading(path)),
        "send": (CONNECTIONS, lambda gateway: sends),
    })
    return [
        Row(f"{many:,} {words}, {what}", "us", result["ours"], result["peer"], f"Parley, {FEW:,}", at_most(1.1))
        for what, result in results.items()
    ] + [
        Row(f"{many:,} {words}, start", "ms", starts["ours"], starts["peer"], f"Parley, {FEW:,}", at_most(1.1))]


def reading(path):
    """The request for a path, as each gateway's token asks it."""
    return lambda gateway: ["\t".join(["GET", path, gateway.token, ""])]


def costs(bench, few_folder, many_folder, requests):
    """Microseconds of the gateway's time a request, with much and with little: what the whole took by how many there were.
    `requests` has for each name how many connections ask, and what."""
    seconds = bench.seconds(1.5)
    with Gateway(bench, few_folder) as few, Gateway(bench, many_folder) as many:
        # The search index reads what was filled in.
        few.rest()
        many.rest()

        def cost(connections, lines):
            def one(gateway):
                return 1e6 / load(bench, gateway.port, connections, seconds, lines(gateway))["rate"]
            return bench.interleave(ours=lambda: one(many), peer=lambda: one(few))

        return {name: cost(*request) for name, request in requests.items()}
