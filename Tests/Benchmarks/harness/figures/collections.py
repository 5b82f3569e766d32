"""Collections: opening one over much beside one over little, what it costs to move a thread, and many on one thread."""

import json
import os
import sqlite3
import statistics
import time

from ..clients import broadcast, complete, load
from ..filling import database
from ..gateway import TEXT, Customer, Gateway
from ..processes import Failure
from ..table import Row, at_least, at_most

NAME = "collections"
ABOUT = "collections over 100,000 threads and 1,000,000 messages, and 1,000 on one thread"
OPENINGS = 40
FOLLOWERS = 1_000
PER_SESSION = 100
WRITERS = 64


def measure(bench):
    return followers(bench) + threads(bench) + messages(bench)


# -- 1,000 on one thread

def followers(bench):
    """A new message in 1,000 collections' own streams, beside the plain broadcast of `message.created`."""
    phases = [(60 if bench.quick else 200, 0)]
    body = json.dumps({"text": "{mark}" + TEXT[23:]})

    def plain():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            customer = gateway.customer()
            return one(gateway, customer, [f"{customer.events}?types=message.created\t{gateway.token}"])

    def ours():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            customer = gateway.customer()
            gateway.say(customer)
            return one(gateway, customer, list(made(gateway, customer)))

    def one(gateway, customer, paths):
        return complete(broadcast(
            bench, gateway.port, FOLLOWERS, paths, customer.messages, body, phases, token=customer.token, attach="ready"))[0]["rate"]

    def made(gateway, customer):
        """The streams of 1,000 message collections, in as many sessions of one customer as they need."""
        api = gateway.api()
        name = api.call("GET", f"/v1/sessions/{customer.session}")["customer"]["id"]
        for _ in range(FOLLOWERS // PER_SESSION):
            session = api.call("POST", "/v1/sessions", {"channel": "multi", "customer": {"id": name}})
            for _ in range(PER_SESSION):
                path, id = make(api, session["id"], {"kind": "messages", "threadId": customer.thread})
                api.call("POST", f"{path}/{id}/fetch", {"direction": "previous"})
                yield f"{path}/{id}/events\t{session['token']}"
        api.close()

    results = bench.interleave(ours=ours, peer=plain)
    return [Row(f"{FOLLOWERS:,} message collections on one thread", "deliveries/s", results["ours"], results["peer"],
                "Parley, plain broadcast", at_least(0.8), "two events a message: insert and new")]


# -- Opening

def make(api, session, definition):
    path = f"/v1/sessions/{session}/collections"
    return path, api.call("POST", path, definition)["id"]


def opening(gateway, session, definition, direction):
    """Milliseconds from making a collection until its first page is there, the median of some."""
    api, times = gateway.api(), []
    for _ in range(OPENINGS):
        begun = time.perf_counter()
        path, id = make(api, session, definition)
        api.call("POST", f"{path}/{id}/fetch", {"direction": direction})
        content = api.send("GET", f"{path}/{id}")[1]
        times.append(1000 * (time.perf_counter() - begun))
        if b'"version":1,' not in content:
            raise Failure(f"the first page is not version 1: {content[:200]!r}")
        api.call("DELETE", f"{path}/{id}")
    api.close()
    return statistics.median(times)


def messages(bench):
    sizes = (1_000, 200_000 if bench.quick else 1_000_000)
    small, large = (bench.kept(f"thread {count}", lambda: database(bench, count)) for count in sizes)
    with Gateway(bench, small.folder) as short, Gateway(bench, large.folder) as long:
        def cost(gateway, filled):
            return opening(gateway, filled.customer.session, {"kind": "messages", "threadId": filled.customer.thread}, "previous")
        results = bench.interleave(ours=lambda: cost(long, large), peer=lambda: cost(short, small))
    return [Row(f"opening over {large.count:,} messages", "ms", results["ours"], results["peer"],
                f"Parley, {small.count:,} messages", at_most(1.5))]


def threads(bench):
    sizes = (1_000, 20_000 if bench.quick else 100_000)
    (small_folder, small), (large_folder, large) = (many_threads(bench, count) for count in sizes)
    with Gateway(bench, small_folder) as few, Gateway(bench, large_folder) as many:
        opened = bench.interleave(
            ours=lambda: opening(many, large.session, {"kind": "threads"}, "next"),
            peer=lambda: opening(few, small.session, {"kind": "threads"}, "next"))
        moved = bench.interleave(ours=lambda: moving(bench, many, large), peer=lambda: moving(bench, few, small))
    label, peer = f"{sizes[1]:,} threads", f"Parley, {sizes[0]:,} threads"
    return [
        Row(f"opening over {label}", "ms", opened["ours"], opened["peer"], peer, at_most(1.5)),
        Row(f"{label}, a message that moves one", "us", moved["ours"], moved["peer"], peer, at_most(2)),
    ]


def moving(bench, gateway, customer):
    """Microseconds of the gateway's time a send, each of which moves a thread of an open collection."""
    api = gateway.api()
    path, id = make(api, customer.session, {"kind": "threads", "query": {"limit": 200}})
    api.call("POST", f"{path}/{id}/fetch", {"direction": "next"})
    shown = [item["id"] for item in api.call("GET", f"{path}/{id}")["items"]]
    lines = [Customer(customer.session, customer.token, thread).send_line() for thread in shown]
    rate = load(bench, gateway.port, WRITERS, bench.seconds(1.5), lines)["rate"]
    if api.call("GET", f"{path}/{id}")["version"] < 10:
        raise Failure("no thread was moved")
    api.call("DELETE", f"{path}/{id}")
    api.close()
    return 1e6 / rate


# Threads like the one that the gateway made, each with an activity of its own.
THREADS = """
WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < :count)
INSERT INTO thread (owner, id, isKnownToDesk, isClosed, activity, version, messagesVersion, json)
SELECT owner, printf('t%07d', i), isKnownToDesk, isClosed, activity - i, version, messagesVersion,
    CAST(replace(replace(CAST(json AS TEXT), thread.id, printf('t%07d', i)), strftime('%Y-%m-%dT%H:%M:', activity / 1000, 'unixepoch')
        || printf('%02d.%03dZ', activity / 1000 % 60, activity % 1000), strftime('%Y-%m-%dT%H:%M:', (activity - i) / 1000, 'unixepoch')
        || printf('%02d.%03dZ', (activity - i) / 1000 % 60, (activity - i) % 1000)) AS BLOB)
FROM thread, counter WHERE thread.number = :thread
"""
MEMBERS = """
INSERT INTO member (account, thread, id, isClosed, activity, createdAt, nameKey)
SELECT member.account, thread.number, thread.id, 0, thread.activity, thread.activity, member.nameKey
FROM thread, member WHERE member.thread = :thread AND thread.number != :thread
"""


def many_threads(bench, count):
    """A data folder whose one customer has this many threads."""
    bench.say(f"filling {count:,} threads ...")
    folder = bench.new_path(f"threads-{count}")
    os.mkdir(folder)
    with Gateway(bench, folder) as gateway:
        customer = gateway.customer()
    db = sqlite3.connect(f"{folder}/parley.sqlite", isolation_level=None)
    try:
        db.execute("BEGIN")
        number = db.execute("SELECT number FROM thread").fetchone()[0]
        for statement in (THREADS, MEMBERS):
            db.execute(statement, {"count": count - 1, "thread": number})
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as error:
        raise Failure(f"the store's schema is not the one that figures/collections.py fills: {error}") from None
    finally:
        db.close()
    return folder, customer
