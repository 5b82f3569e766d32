"""Reads the database with its own SQL, and the API as a client does, and compares both with the journal."""

import collections
import hashlib
import json
import pathlib
import re
import sqlite3
import sys
import urllib.parse

from campaign.journal import ABSENT, REMOVED
from serving import until

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Benchmarks"))
from harness.packed import unpacked  # noqa: E402

#: How the load marks its texts, so that they are found wherever they are.
MARK = re.compile(rb"w[0-9a-f]{32}")


def open_database(folder, name="parley.sqlite"):
    database = sqlite3.connect(f"file:{folder}/{name}?mode=ro", uri=True, timeout=10)
    database.row_factory = sqlite3.Row
    return database


def audience(packed):
    """Account numbers of a log row, from pairs of base-128 numbers. A later pair of 0 and more describes the last."""
    numbers, number, shift = [], 0, 0
    for byte in packed:
        number |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            numbers.append(number)
            number = shift = 0
    found = []
    for account, value in zip(numbers[::2], numbers[1::2]):
        if not (account == 0 and value > 0 and found):
            found.append(account)
    return found


class Database:
    """The rows of a gateway's folder, checked against a journal."""

    def __init__(self, folder, journal):
        self.folder, self.journal = folder, journal
        for name in ("parley.sqlite", "search.sqlite"):
            if name == "search.sqlite" and not (folder / name).exists():
                continue
            database = open_database(folder, name)
            found = [row[0] for row in database.execute("PRAGMA integrity_check")]
            assert found == ["ok"], f"{name}: {found[:5]}"
            database.close()
        database = open_database(folder)
        try:
            database.execute("BEGIN")  # one moment for all that is read
            self._read(database)
        finally:
            database.close()

    def _read(self, database):
        self.meta = {row["name"]: row["value"] for row in database.execute("SELECT name, value FROM meta")}
        self.threads = {row["number"]: dict(row) for row in database.execute("SELECT * FROM thread")}
        self.messages = {}
        for row in database.execute("SELECT * FROM message ORDER BY createdAt, number"):
            key = (self.threads[row["thread"]]["id"], row["id"])
            assert key not in self.messages, f"{key} is there twice"
            self.messages[key] = {**dict(row), "value": json.loads(row["json"])}
        self.tombstones = {
            (self.threads[row["thread"]]["id"], row["id"]) for row in database.execute("SELECT * FROM tombstone")
        }
        rows = {row["number"]: row["json"] for row in self.messages.values()}
        self.log = [
            {**dict(row), "data": unpacked(row["data"], rows.get(row["message"]))}
            for row in database.execute("SELECT * FROM log ORDER BY place")
        ]
        self.audience = {(row[0], row[1]) for row in database.execute("SELECT account, place FROM audience")}
        self.accounts = {
            row["customer"]: json.loads(row["customFields"]) for row in database.execute("SELECT * FROM account")
        }
        self.sessions = {row[0] for row in database.execute("SELECT id FROM session")}
        self.attachments = {row["id"]: row["message"] for row in database.execute("SELECT id, message FROM attachment")}
        self.receipts = [row[0] for row in database.execute("SELECT body FROM receipt")]

    def check(self):
        self._check_messages()
        self._check_fields()
        self._check_log()
        self._check_removed()
        lost = self.journal.sessions.keys() - self.sessions
        assert not lost, f"sessions are lost: {lost}"

    def _check_messages(self):
        journal = self.journal.of("message")
        for (_, thread, id), entry in journal.items():
            row = self.messages.get((thread, id))
            state = row["value"].get("text") if row else REMOVED if (thread, id) in self.tombstones else ABSENT
            assert state in entry.states, f"message {id}: is {state!r}, may be {entry.states}"
            self.journal.settle(("message", thread, id), state)
            if row and entry.parent:
                assert row["value"].get("parentId") == entry.parent, row["value"]
            if row and entry.attachment:
                assert self.attachments.get(entry.attachment) == row["number"], f"the file of {id} is not its own"
        invented = {("message", *key) for key in self.messages} - journal.keys()
        assert not invented, f"messages that nobody sent: {invented}"

    def _check_fields(self):
        threads = {row["id"]: json.loads(row["json"]) for row in self.threads.values()}
        for key, entry in self.journal.of("threadField").items():
            self._settle(key, entry, threads[key[1]]["customFields"].get(key[2], ABSENT))
        for key, entry in self.journal.of("customerField").items():
            self._settle(key, entry, self.accounts[key[1]].get(key[2], ABSENT))
        for key, entry in self.journal.of("name").items():
            self._settle(key, entry, threads[key[1]].get("name", ABSENT))

    def _settle(self, key, entry, state):
        assert state in entry.states, f"{key}: is {state!r}, may be {entry.states}"
        self.journal.settle(key, state)

    def _check_log(self):
        numbers = {row["number"]: key for key, row in self.messages.items()}
        created, last, removed, threads = collections.Counter(), {}, collections.Counter(), {}
        expected_audience = set()
        for row in self.log:
            value, accounts = json.loads(row["data"]), audience(row["audience"])
            assert len(accounts) == len(set(accounts)), f"an audience twice: {row}"
            expected_audience |= {(account, row["place"]) for account in accounts}
            if row["message"] is not None:
                assert row["message"] in numbers, f"the log keeps a message that is gone: {row}"
            if row["type"] in ("message.created", "message.updated"):
                message = value["message"]
                key = (message["threadId"], message["id"])
                assert numbers.get(row["message"]) == key, f"a log row of another message: {row}"
                assert {0, row["owner"]} <= set(accounts), f"somebody is not told: {row}"
                assert (row["type"] == "message.created") == (key not in last), (
                    f"the order of a message's events: {row}"
                )
                created[key] += row["type"] == "message.created"
                last[key] = message
            elif row["type"] == "message.removed":
                removed[value["threadId"], value["messageId"]] += 1
            elif row["type"] in ("thread.created", "thread.updated"):
                threads[value["thread"]["id"]] = value["thread"]
        assert expected_audience == self.audience, f"audience rows: {sorted(expected_audience ^ self.audience)[:10]}"
        assert set(created) == set(self.messages), f"rows and log differ: {set(created) ^ set(self.messages)}"
        assert set(created.values()) <= {1} and set(removed.values()) <= {1}, (
            "a message is created or removed twice in the log"
        )
        assert set(removed) == self.tombstones, f"removals and the log differ: {set(removed) ^ self.tombstones}"
        for key, message in last.items():
            row = self.messages[key]["value"]
            for member in ("text", "createdAt", "editedAt", "parentId"):
                assert row.get(member) == message.get(member), f"row and log differ: {row} {message}"
        for row in self.threads.values():
            assert json.loads(row["json"]) == threads[row["id"]], (
                f"a thread's row and log differ: {row} {threads[row['id']]}"
            )
        head = max((row["place"] for row in self.log), default=0)
        assert self.meta["head"] >= head, f"the head {self.meta['head']} is below {head}"

    def _check_removed(self):
        removed = {}
        for key, entry in self.journal.of("message").items():
            if entry.must_be == REMOVED:
                removed |= {text.partition(" ")[0].encode(): key for text in self.journal.texts.get(key, ())}
        places = {
            "log": (row["data"] for row in self.log),
            "receipt": self.receipts,
            "thread": (row["json"] for row in self.threads.values()),
            "message": (row["json"] for row in self.messages.values()),
        }
        for place, values in places.items():
            for value in values:
                for mark in MARK.findall(value or b""):
                    assert mark not in removed, (
                        f"the text of {removed[mark]}, which was removed, is in {place}: {value}"
                    )


class Interface:
    """What clients see, compared with the database's rows, which were compared with the journal."""

    def __init__(self, gateway, database):
        self.gateway, self.database, self.journal = gateway, database, database.journal

    def pages(self, path, token, limit):
        found, cursor = [], ""
        client = self.gateway.client(token)
        while True:
            page = client.call("GET", f"{path}?limit={limit}&replies=all{cursor}")
            assert page.status == 200, page
            found += page["items"]
            if "next" not in page.json:
                client.close()
                return found[::-1]
            cursor = "&cursor=" + urllib.parse.quote(page["next"], safe="")

    def check(self, seed):
        for customer in self.journal.sessions.values():
            assert self.gateway.get(customer.path, token=customer.token).status == 200, "a session's token is void"
            for thread in customer.threads:
                self._check_thread(customer, thread, seed)
        self._check_files()
        self._check_search(seed)

    def _check_thread(self, customer, thread, seed):
        expected = [
            (key[1], row["value"].get("text")) for key, row in self.database.messages.items() if key[0] == thread
        ]
        for path, token in ((customer.path, customer.token), ("/v1/desk", self.gateway.token)):
            shown = self.pages(f"{path}/threads/{thread}/messages", token, seed.choice([20, 50, 200]))
            assert [(each["id"], each.get("text")) for each in shown] == expected, (
                f"{path} shows other messages of {thread}"
            )
        answer = self.gateway.get(f"{customer.path}/threads/{thread}", token=customer.token)
        assert answer["name"] == self.journal.entries["name", thread].must_be, answer
        for key, entry in self.journal.of("threadField").items():
            if key[1] == thread:
                assert answer["customFields"].get(key[2], ABSENT) == entry.must_be, answer

    def _check_files(self):
        folder = self.gateway.folder / "files"
        names = lambda folder: {path.name for path in folder.iterdir() if path.is_file()}
        for (_, id), entry in self.journal.of("file").items():
            if self.database.attachments.get(id) is None:
                continue  # never sent: the sweep may take it
            digest = hashlib.sha256((folder / id).read_bytes()).hexdigest()
            assert digest == entry.must_be, f"file {id} has other bytes"
        until("files that were being received to go", lambda: names(folder / "incoming") == set())
        until("files and their rows to be the same", lambda: names(folder) == self._attachments())

    def _attachments(self):
        database = open_database(self.gateway.folder)
        try:
            return {row[0] for row in database.execute("SELECT id FROM attachment")}
        finally:
            database.close()

    def _check_search(self, seed):
        """The index catches up: it finds what is there, and nothing that was removed."""
        there = [key for key in self.database.messages if self.database.messages[key]["value"].get("text")]
        gone = [
            key
            for key, entry in self.journal.of("message").items()
            if entry.must_be == REMOVED and self.journal.texts.get(key)
        ]
        for key in seed.sample(there, min(2, len(there))):
            mark = self.database.messages[key]["value"]["text"].partition(" ")[0]
            until("a message to be found", lambda: key[1] in self._found(mark), 20, every=0.1)
        for key in seed.sample(gone, min(2, len(gone))):
            mark = self.journal.texts[key][-1].partition(" ")[0]
            until("a removed message to be found no more", lambda: not self._found(mark), 20, every=0.1)

    def _found(self, words):
        answer = self.gateway.get(f"/v1/desk/search?q={words}")
        assert answer.status == 200, answer
        return {(each.get("message") or each)["id"] for each in answer["items"]}
