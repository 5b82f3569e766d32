"""History of NICE CXone's platform, read through its scroll tokens into the store."""

import json
import sqlite3
import time

from ..filling import database
from ..gateway import Gateway
from ..processes import Failure, run
from ..table import Row
from .cxone import Platform, open_session
from .durable_send import BATCH, prepared

NAME = "scroll"
ABOUT = "history of 100,000 messages synchronized through NICE CXone's scroll tokens, beside raw batches"
PATIENCE = 120


def measure(bench):
    filled = bench.kept("history", lambda: database(bench, 10_000 if bench.quick else 100_000))
    folder, _ = bench.kept("customers", lambda: prepared(bench))
    seconds = bench.seconds(3)

    def ours():
        with bench.scratch(filled.folder) as there, bench.scratch() as here:
            with Platform(bench, there) as platform, Gateway(bench, here, ["--sync-pace", "0"]) as gateway:
                return synchronized(gateway, platform.address("multi"), customer_of(there), filled.count)

    def raw():
        with bench.scratch(folder) as copy:
            text = run([bench.program("rows"), f"{copy}/parley.sqlite", str(seconds), str(BATCH)], seconds + 30)
            return json.loads(text)["rate"]

    results = bench.interleave(ours=ours, peer=raw)
    return [Row(
        f"{filled.count:,} messages by scroll tokens", "msg/s", results["ours"], results["peer"], f"SQLite in C, {BATCH} a commit",
        note="two gateways; the sandbox's pages have 20 messages, and each is asked for with the token of the one before")]


def synchronized(gateway, address, customer, count):
    """Messages a second, from opening the session until all of them are in the store."""
    api, begun = gateway.api(), time.monotonic()
    open_session(api, address, customer)
    db = sqlite3.connect(f"file:{gateway.folder}/parley.sqlite?mode=ro", uri=True)
    there = 0
    while there < count:
        if time.monotonic() > begun + PATIENCE:
            raise Failure(f"{there} of {count} messages are there after {PATIENCE} s")
        time.sleep(0.05)
        there = db.execute("SELECT count(*) FROM message").fetchone()[0]
    seconds = time.monotonic() - begun
    db.close()
    api.close()
    if there > count:
        raise Failure(f"{there} messages are there instead of {count}")
    return count / seconds


def customer_of(folder):
    db = sqlite3.connect(f"{folder}/parley.sqlite")
    try:
        return db.execute("SELECT account.customer FROM account JOIN thread ON thread.owner = account.number").fetchone()[0]
    finally:
        db.close()
