"""A page of 20 messages read over and over, beside bare libmicrohttpd answering the very same bytes."""

from ..api import Api
from ..bare import Bare
from ..clients import wrk
from ..gateway import Gateway
from ..processes import Failure
from ..table import Row, at_least, median

NAME = "page"
ABOUT = "a hot page of 20 messages, and its 304, over 64, 127, 128, 129, 256 connections"
# Around 128 libmicrohttpd's own loop stalls.
CONNECTIONS = [64, 127, 128, 129, 256]


def check_same(headers, body, peer_headers, peer_body):
    """The peer must send what Parley sends, or the two cannot be compared."""
    def sent(headers):
        return sorted((name.lower(), value) for name, value in headers if name.lower() not in ("date", "connection"))
    if body != peer_body or sent(headers) != sent(peer_headers):
        raise Failure(f"bare libmicrohttpd answers otherwise: {peer_headers} instead of {headers}")


def measure(bench):
    with bench.scratch() as folder, Gateway(bench, folder) as gateway:
        customer = gateway.customer()
        gateway.say(customer, 40)
        rows, (tag, size) = compared(bench, gateway, customer, "page of 20", at_least(0.65))
        rows[0].note = f"{size} bytes of body"
        unchanged, _ = compared(bench, gateway, customer, "page of 20, unchanged", at_least(0.9), tag)
    return rows + unchanged


def compared(bench, gateway, customer, what, target, tag=None):
    """A row for each number of connections, one for how even they are; then the page's tag and size. With a tag, the answer
    is 304 on both sides."""
    path = f"{customer.messages}?limit=20"
    seconds = bench.seconds(2)
    headers, body = gateway.api().send("GET", path, token=customer.token, tag=tag)
    rows = []
    with Bare(bench, headers, body, 304 if tag else 200) as bare:
        check_same(headers, body, *Api(bare.port).send("GET", path, tag=tag))
        for connections in CONNECTIONS:
            results = bench.interleave(
                ours=lambda: wrk(gateway.port, path, connections, seconds, customer.token, tag),
                peer=lambda: wrk(bare.port, path, connections, seconds, customer.token, tag))
            rows.append(Row(
                f"{what}, {connections} connections", "req/s", results["ours"], results["peer"], "bare libmicrohttpd", target))

    def evenness(side):
        medians = [median(getattr(row, side)) for row in rows]
        return [min(medians) / max(medians)]

    rows.append(Row(
        f"{what}, least/greatest of these", "", evenness("ours"), evenness("peer"), "bare libmicrohttpd", at_least(0.9)))
    return rows, (dict(headers)["ETag"], len(body))
