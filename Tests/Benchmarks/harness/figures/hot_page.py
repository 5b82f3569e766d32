"""A page of 20 messages read over and over, beside bare libmicrohttpd answering the very same bytes."""

from ..api import Api
from ..bare import Bare
from ..clients import wrk
from ..gateway import Gateway
from ..processes import Failure
from ..table import Row, at_least, median

NAME = "page"
ABOUT = "a hot page of 20 messages over 64, 127, 128, 129, 256 connections"
# Around 128 libmicrohttpd's own loop stalls.
CONNECTIONS = [64, 127, 128, 129, 256]


def check_same(headers, body, peer_headers, peer_body):
    """The peer must send what Parley sends, or the two cannot be compared."""
    def sent(headers):
        return sorted((name.lower(), value) for name, value in headers if name.lower() not in ("date", "connection"))
    if body != peer_body or sent(headers) != sent(peer_headers):
        raise Failure(f"bare libmicrohttpd answers otherwise: {peer_headers} instead of {headers}")


def measure(bench):
    seconds = bench.seconds(2)
    rows = []
    with bench.scratch() as folder, Gateway(bench, folder) as gateway:
        customer = gateway.customer()
        gateway.say(customer, 40)
        path = f"{customer.messages}?limit=20"
        headers, body = gateway.api().send("GET", path, token=customer.token)
        with Bare(bench, headers, body) as bare:
            check_same(headers, body, *Api(bare.port).send("GET", path))
            for connections in CONNECTIONS:
                results = bench.interleave(
                    ours=lambda: wrk(gateway.port, path, connections, seconds, customer.token),
                    peer=lambda: wrk(bare.port, path, connections, seconds, customer.token))
                rows.append(Row(
                    f"page of 20, {connections} connections", "req/s", results["ours"], results["peer"],
                    "bare libmicrohttpd", at_least(0.65)))
    rows[0].note = f"{len(body)} bytes of body"

    def evenness(side):
        medians = [median(getattr(row, side)) for row in rows]
        return [min(medians) / max(medians)]

    rows.append(Row(
        "page of 20, least/greatest of these", "", evenness("ours"), evenness("peer"), "bare libmicrohttpd", at_least(0.9)))
    return rows
