"""Sends and pages beside Synapse, a Matrix homeserver: 8 clients each, each with its own room or thread."""

from ..clients import load
from ..gateway import Gateway
from ..synapse import Synapse
from ..table import Row, at_least

NAME = "matrix"
ABOUT = "sends and pages of 20 a second beside Synapse from PyPI, 8 clients"
CLIENTS = 8


def measure(bench):
    seconds = bench.seconds(2)
    with Synapse(bench) as synapse, bench.scratch() as folder, Gateway(bench, folder) as gateway:
        writers = [synapse.writer() for _ in range(CLIENTS)]
        customers = gateway.customers(CLIENTS)

        def rate(port, lines):
            return load(bench, port, CLIENTS, seconds, lines)["rate"]

        sends = bench.interleave(
            ours=lambda: rate(gateway.port, [customer.send_line() for customer in customers]),
            peer=lambda: rate(synapse.port, [send for send, _ in writers]))
        # The sends have left each room with more than a page.
        pages = bench.interleave(
            ours=lambda: rate(gateway.port, [customer.page_line() for customer in customers]),
            peer=lambda: rate(synapse.port, [page for _, page in writers]))
    return [
        Row("sends, 8 clients", "msg/s", sends["ours"], sends["peer"], "Synapse", at_least(120)),
        Row("pages of 20, 8 clients", "req/s", pages["ours"], pages["peer"], "Synapse", at_least(400)),
    ]
