"""Databases with many customers, filled by SQL while the gateway is stopped: each with a thread at the desk, or a session."""

import shutil
import sqlite3

from .processes import Failure

# One row for each customer. Ids are spread over the indexes as random ones are (the factor is odd, so that no two are
# equal). All threads are older than those of the gateway's own customers, and each has an activity of its own.
MADE = """
CREATE TEMP TABLE made AS
WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < :count),
    numbered AS (
        SELECT i, :head + 2 * i - 1 AS number, :at - :count + i AS at,
            printf('%08x-%%d000-4000-8000-%012d', i * 2654435761 & 0xffffffff, i) AS id
        FROM counter)
SELECT i, number, at, replace(id, '%d', '1') AS customer, replace(id, '%d', '2') AS session, replace(id, '%d', '3') AS thread,
    replace(id, '%d', '4') AS message,
    strftime('%Y-%m-%dT%H:%M:', at / 1000, 'unixepoch') || printf('%02d.%03dZ', at / 1000 % 60, at % 1000) AS time
FROM numbered
"""
# What the gateway wrote for the customer that is the pattern, with the ids and the times of another.
JSON = """
CAST(replace(replace(replace(replace(replace(CAST({table}.json AS TEXT), :customer, made.customer), :thread, made.thread),
    :message, made.message), :begun, made.time), :time, made.time) AS BLOB)
"""
ACCOUNTS = """
INSERT INTO account (number, service, channel, customer, json, customFields, createdAt)
SELECT :lastAccount + i, service, channel, made.customer, {json}, customFields, at FROM account, made WHERE account.number = :account
"""
SESSIONS = """
INSERT INTO session (id, account, generation, isConnected, createdAt, resend, lastUsedAt)
SELECT made.session, :lastAccount + i, generation, isConnected, at, resend, lastUsedAt FROM session, made
WHERE session.account = :account ORDER BY made.session
"""
CONTACTS = "INSERT INTO contact (number, thread, openedAt) SELECT :lastContact + i, :lastThread + i, at FROM made"
THREADS = """
INSERT INTO thread (number, owner, id, isKnownToDesk, isClosed, activity, version, messagesVersion, lastMessage, channel, deskAgent, deskWait,
    messagesIn, json)
SELECT :lastThread + i, :lastAccount + i, made.thread, isKnownToDesk, isClosed, at, made.number + 1, made.number, made.number, channel,
    deskAgent, CASE WHEN deskWait IS NULL THEN NULL ELSE at END, messagesIn,
    CAST(replace({json}, '"contactId":"' || :contact || '"', '"contactId":"' || (:lastContact + i) || '"') AS BLOB)
FROM thread, made WHERE thread.number = :threadNumber
"""
MEMBERS = """
INSERT INTO member (account, thread, id, isClosed, activity, createdAt, nameKey)
SELECT :lastAccount + i, :lastThread + i, made.thread, isClosed, at, at, nameKey FROM member, made WHERE member.account = :account
"""
MESSAGES = """
INSERT INTO message (number, thread, id, createdAt, isToAgent, isSeen, version, json, type, sender)
SELECT made.number, :lastThread + i, made.message, at, isToAgent, isSeen, made.number, {json}, type, made.customer
FROM message, made WHERE message.number = :messageNumber ORDER BY i
"""
KINDS = {"threads": [ACCOUNTS, CONTACTS, THREADS, MEMBERS, MESSAGES], "sessions": [ACCOUNTS, SESSIONS]}

PATTERN = """
SELECT account.number AS account, account.customer AS customer, thread.number AS threadNumber, thread.id AS thread,
    json_extract(CAST(thread.json AS TEXT), '$.createdAt') AS begun, contact.number AS contact, message.number AS messageNumber,
    message.id AS message, message.createdAt AS at, json_extract(CAST(message.json AS TEXT), '$.createdAt') AS time,
    (SELECT max(number) FROM account) AS lastAccount, (SELECT max(number) FROM thread) AS lastThread,
    (SELECT max(number) FROM contact) AS lastContact, (SELECT value FROM meta WHERE name = 'head') AS head
FROM account JOIN thread ON thread.owner = account.number JOIN contact ON contact.thread = thread.number
    JOIN message ON message.number = thread.lastMessage
ORDER BY message.createdAt LIMIT 1
"""


def populated(bench, source, kind, count):
    """A copy of a data folder with so many `threads` or `sessions`. The folder has customers, each with a message."""
    bench.say(f"filling in {count:,} {kind} ...")
    folder = bench.new_path(f"{count}-{kind}")
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("*.sock"))
    try:
        fill(f"{folder}/parley.sqlite", kind[:-1], KINDS[kind], count)
    except sqlite3.Error as error:
        raise Failure(f"the store's schema is not the one that harness/population.py fills: {error}") from None
    return folder


def fill(path, table, statements, count):
    """Adds what is missing up to the count. The log keeps nothing of it."""
    db = sqlite3.connect(path, isolation_level=None)
    db.row_factory = sqlite3.Row
    try:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("PRAGMA cache_size = -400000")
        missing = count - db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        values = dict(db.execute(PATTERN).fetchone()) | {"count": missing}
        db.execute("BEGIN")
        db.execute(MADE, values)
        for statement in statements:
            db.execute(statement.format(json=JSON.format(table=statement.split()[2])), values)
        db.execute("DELETE FROM audience")
        db.execute("DELETE FROM log")
        db.execute("UPDATE meta SET value = ? WHERE name IN ('head', 'floor')", [values["head"] + 2 * missing])
        db.execute("COMMIT")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        db.close()
