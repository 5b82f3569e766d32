"""What an idle stream costs in resident memory, beside a suspended connection of bare libmicrohttpd."""

import time

from ..bare import Bare
from ..clients import held
from ..gateway import Gateway
from ..table import Row, at_most_plus

NAME = "memory"
ABOUT = "resident memory of an idle stream, from 5,000 of them"
STREAMS = 5_000
# Open before the first look, so that what is made once is not counted as a stream's.
WARM = 100


def measure(bench):
    def growth(process, port, path, attach):
        with held(bench, port, WARM, [path], attach):
            before = settled(process)
            with held(bench, port, STREAMS, [path], attach):
                return (settled(process) - before) / STREAMS

    def ours():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            customer = gateway.customer()
            return growth(gateway.process, gateway.port, f"{customer.events}\t{customer.token}", "ready")

    def peer():
        with Bare(bench) as bare:
            return growth(bare.process, bare.port, "/events", None)

    results = bench.interleave(ours=ours, peer=peer)
    return [Row(
        "memory of an idle stream", "bytes", results["ours"], results["peer"], "bare libmicrohttpd, 8 KiB pool",
        at_most_plus(3000, "3 kB"))]


def settled(process):
    time.sleep(0.5)
    return process.resident()
