"""A message sent over one connection and on the disk, beside the same rows through SQLite's C API and libmicrohttpd."""

import uuid

from ..api import Api
from ..bare import Sends
from ..clients import load
from ..gateway import TEXT, Gateway
from ..processes import Failure
from ..table import Row, at_most
from .durable_send import prepared

NAME = "one"
ABOUT = "a send over one connection, beside the same rows through SQLite's C API and bare libmicrohttpd"


def measure(bench):
    folder, customers = bench.kept("customers", lambda: prepared(bench))
    customer = customers[0]
    seconds = bench.seconds(2)
    with bench.scratch(folder) as copy, Gateway(bench, copy) as gateway:
        headers, content = answered(gateway.port, customer)

    def once(port):
        # One message before: statements are prepared, the thread is read.
        if len(answered(port, customer)[1]) != len(content):
            raise Failure("the two do not answer with the same message")
        return load(bench, port, 1, seconds, [customer.send_line()])

    def ours():
        with bench.scratch(folder) as copy, Gateway(bench, copy) as gateway:
            return once(gateway.port)

    def peer():
        with bench.scratch(folder) as copy, Sends(bench, copy, headers) as sends:
            return once(sends.port)

    results = bench.interleave(ours=ours, peer=peer)

    def row(key, target=None):
        return Row(
            f"durable send, 1 connection, {key}", "ms", [run[key] for run in results["ours"]], [run[key] for run in results["peer"]],
            "SQLite in C under bare libmicrohttpd", target)

    return [row("p50", at_most(1.5)), row("p99")]


def answered(port, customer):
    """The headers and bytes of the answer to a message."""
    api = Api(port)
    answer = api.send("POST", customer.messages, {"id": str(uuid.uuid4()), "text": TEXT}, token=customer.token)
    api.close()
    return answer
