"""Databases with a long thread, filled by SQL while the gateway is stopped: a million sends would take minutes."""

import os
import sqlite3
from dataclasses import dataclass

from .gateway import Customer, Gateway
from .packed import unpacked
from .processes import Failure


@dataclass
class Filled:
    folder: str
    customer: Customer
    count: int
    middle: str  # the cursor of a page in the middle


# Events that the log keeps of it, as a gateway that took the messages would have: short of the million where
# retention begins to delete, so that a send's cost here is the thread's and not retention's.
LOGGED = 700_000

# All are older than the one message that the gateway wrote itself, which stays the newest: thread, preview and
# unread counts stay true. A send takes two offsets, for the message and for its thread. Ids are spread over the
# index as a client's random ones are (the factor is odd, so that no two are equal).
MESSAGES = """
WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < :count),
    made (number, id, createdAt) AS (
        SELECT :head + 2 * i - 1, printf('%08x-0000-4000-8000-%012d', i * 2654435761 & 0xffffffff, i), :createdAt - :count + i
        FROM counter)
INSERT INTO message (number, thread, id, createdAt, isToAgent, isSeen, version, json)
SELECT number, :thread, id, createdAt, :isToAgent, 0, number,
    CAST(replace(replace(:json, :id, id), :time, strftime('%Y-%m-%dT%H:%M:', createdAt / 1000, 'unixepoch')
        || printf('%02d.%03dZ', createdAt / 1000 % 60, createdAt % 1000)) AS BLOB)
FROM made
"""
EVENTS = """
INSERT INTO log (place, at, type, owner, message, audience, data)
SELECT message.number + :step, message.createdAt, :type, :owner, message.number, :audience,
    CAST(replace(replace(:data, :json, CAST(message.json AS TEXT)), :id, message.id) AS BLOB)
FROM message WHERE message.number > :floor AND message.number > :head ORDER BY message.number
"""
AUDIENCE = "INSERT INTO audience (account, place) SELECT ?, place FROM log WHERE place > ? ORDER BY place"


def database(bench, count):
    """A data folder whose one thread has this many messages."""
    bench.say(f"filling a thread with {count:,} messages ...")
    folder = bench.new_path(f"thread-{count}")
    os.mkdir(folder)
    with Gateway(bench, folder) as gateway:
        customer = gateway.customer()
        gateway.say(customer)
    try:
        fill(f"{folder}/parley.sqlite", count - 1)
    except sqlite3.Error as error:
        raise Failure(f"the store's schema is not the one that harness/filling.py fills: {error}") from None
    with Gateway(bench, folder) as gateway:
        # Otherwise the search index would read a million messages while something else is measured.
        gateway.rest()
        return Filled(folder, customer, count, middle(gateway, customer, count))


def fill(path, count):
    """Adds messages like the one that is there, and what the log keeps of them."""
    db = sqlite3.connect(path, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -400000")
        number, thread, id, created, to_agent, json = db.execute(
            "SELECT number, thread, id, createdAt, isToAgent, json FROM message").fetchone()
        head = db.execute("SELECT value FROM meta WHERE name = 'head'").fetchone()[0]
        events = db.execute("SELECT type, owner, audience, data FROM log WHERE message = ? ORDER BY place", [number]).fetchall()
        events = [event for event in events if event[0] in ("message.created", "thread.updated")]
        accounts = db.execute(
            "SELECT DISTINCT account FROM audience JOIN log USING (place) WHERE message = ?", [number]).fetchall()
        if len(events) != 2:
            raise Failure(f"a send logs {[event[0] for event in events]}, not what harness/filling.py knows")
        # What is filled in is not packed, as in the databases of earlier versions.
        events = [(type, owner, audience, unpacked(data, json)) for type, owner, audience, data in events]
        json = bytes(json).decode()
        values = {
            "count": count, "head": head, "thread": thread, "id": id, "createdAt": created, "isToAgent": to_agent, "json": json,
            "time": json.split('"createdAt":"', 1)[1].split('"', 1)[0], "floor": head + 2 * count - LOGGED}
        db.execute("BEGIN")
        db.execute(MESSAGES, values)
        for step, (type, owner, audience, data) in enumerate(events):
            db.execute(EVENTS, values | {
                "step": step, "type": type, "owner": owner, "audience": audience, "data": data.decode()})
        for account in accounts:
            db.execute(AUDIENCE, [account[0], head])
        db.execute("UPDATE meta SET value = ? WHERE name = 'head'", [head + 2 * count])
        if values["floor"] > 0:
            db.execute("DELETE FROM audience WHERE place <= ?", [head])
            db.execute("DELETE FROM log WHERE place <= ?", [head])
            db.execute("UPDATE meta SET value = ? WHERE name = 'floor'", [values["floor"]])
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        db.close()


def middle(gateway, customer, count):
    """The cursor of the middle, found as a client finds it: page by page."""
    api, cursor, seen = gateway.api(), "", 0
    while seen < count // 2:
        page = api.call("GET", f"{customer.messages}?limit=200{cursor and '&cursor=' + cursor}")
        seen += len(page["items"])
        cursor = page["next"]
    api.close()
    return cursor
