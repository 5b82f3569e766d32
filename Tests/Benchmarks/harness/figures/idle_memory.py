"""Resident memory of an idle gateway, and what a stream adds, beside a suspended connection of bare libmicrohttpd."""

import time

from ..bare import Bare
from ..clients import held
from ..gateway import Gateway
from ..table import Row, at_most_plus, no_more_than

NAME = "memory"
ABOUT = "resident memory of a gateway with one idle session, and of an idle stream, from 5,000 of them"
STREAMS = 5_000
# Open before the first look, so that what is made once is not counted as a stream's.
WARM = 100
# Seconds after which a gateway has done all that its start leaves for later.
REST = 3


def measure(bench):
    def growth(process, port, path, attach):
        with held(bench, port, WARM, [path], attach):
            before = settled(process)
            with held(bench, port, STREAMS, [path], attach):
                return (settled(process) - before) / STREAMS

    def ours():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            customer = gateway.customer()
            return growth(gateway.process, gateway.port, f"{customer.events}\t{gateway.token}", "ready")

    def peer():
        with Bare(bench) as bare:
            return growth(bare.process, bare.port, "/events", None)

    def idle():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            gateway.customer(thread=False)
            time.sleep(REST)
            return gateway.process.memory()

    alone = [idle() for _ in range(bench.rounds)]
    results = bench.interleave(ours=ours, peer=peer)
    return [Row(
        "gateway with one idle session, resident", "MB", [memory["Rss"] / 1e6 for memory in alone],
        target=no_more_than(30, "30 MB"), note="of that private, in no other process and not on the disk: "
        + ", ".join(f"{(memory['Private_Dirty']) / 1e6:.1f} MB" for memory in alone)), Row(
        "memory of an idle stream", "bytes", results["ours"], results["peer"], "bare libmicrohttpd, 8 KiB pool",
        at_most_plus(3000, "3 kB"))]


def settled(process):
    time.sleep(0.5)
    return process.resident()
