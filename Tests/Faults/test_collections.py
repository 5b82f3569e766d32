"""Whoever follows a collection over HTTP has what the gateway has, at every version: while others write, the stream is cut
and the gateway is killed."""

import contextlib
import os
import threading

import pytest
from collection_follower import CollectionFollower, Desk, key
from serving import Chat, Gone

ROUNDS = int(os.environ.get("PARLEY_FOLLOWER_ROUNDS", "12"))

MESSAGES = {"kind": "messages", "limit": 20, "capacity": 200}
THREADS = {"kind": "threads", "query": {"limit": 5}}


class Writers:
    """Others, who write until they are stopped or the gateway is gone."""

    def __init__(self, gateway, chat, threads, seed):
        self.gateway, self.chat, self.threads, self.seed = gateway, chat, threads, seed
        self.sent, self.stopping = [], threading.Event()
        #: The messages whose removal was asked for.
        self.removed = set()
        self._workers = [threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(2)]
        for worker in self._workers:
            worker.start()

    def _write(self, number):
        client = self.gateway.client()
        with contextlib.suppress(Gone):
            for count in range(400):
                if self.stopping.is_set():
                    break
                thread = self.seed.choice(self.threads)
                path = self.chat.messages_path(thread)
                choice = self.seed.random()
                if choice < 0.7 or not self.sent:
                    answer = client.call("POST", path, {"text": f"{number} {count}"})
                    self.sent.append((thread, answer["id"]))
                elif choice < 0.85:
                    thread, id = self.seed.choice(self.sent)
                    client.call("PATCH", f"{self.chat.messages_path(thread)}/{id}", {"text": f"edit {count}"})
                else:
                    thread, id = self.sent.pop(self.seed.randrange(len(self.sent)))
                    self.removed.add(id)
                    client.call("DELETE", f"{self.chat.messages_path(thread)}/{id}")
        client.close()

    def stop(self):
        self.stopping.set()
        for worker in self._workers:
            worker.join(30)
            assert not worker.is_alive()


def make(gateway, chat, definition):
    answer = gateway.post(f"{chat.path}/collections", definition, token=chat.token)
    assert answer.status == 201, answer
    return CollectionFollower(gateway, chat, answer["id"])


def fetch(follower, direction):
    with contextlib.suppress(Gone):
        answer = follower.gateway.post(f"{follower.path}/fetch", {"direction": direction}, token=follower.session.token)
        assert answer.status == 200 or answer.code == "fetchInProgress", answer


def told(item, shown, removed):
    """The shown item as an event tells it: what was removed since leaves the events that are kept."""
    if item == shown:
        return shown
    if shown["id"] in removed:
        return {name: value for name, value in shown.items() if name not in ("text", "content", "postback")} | {"attachments": []}
    last = shown.get("lastMessage", {})
    if last.get("id") in removed:
        return {**shown, "lastMessage": {name: value for name, value in last.items() if name != "text"}}
    return shown


def compare(follower, removed=frozenset()):
    """Brings the follower to a version that a GET showed, and compares there; removed: the messages that leave meanwhile."""
    shown = follower.get()
    if follower.incarnation != shown["incarnation"]:
        follower.connect()
        while follower.step() != "ready":
            pass
    while follower.version < shown["version"]:
        if follower.step() is None:
            follower.connect()
    if follower.version > shown["version"]:
        return False  # it was ahead already: another time
    items = follower.items
    if len(items) == len(shown["items"]):
        shown["items"] = [told(*pair, removed) for pair in zip(items, shown["items"])]
    assert items == shown["items"], f"version {shown['version']}"
    assert len({key(item) for item in follower.items}) == len(follower.items)
    return True


@pytest.mark.parametrize("side", ["customer", "desk"])
@pytest.mark.parametrize("kind", ["messages", "replies", "threads"])
def test_a_follower_has_what_the_gateway_has(gw, seed, kind, side):
    chat = Chat(gw, id="follower")
    threads = [chat.thread() for _ in range(1 if kind != "threads" else 12)]
    for thread in threads:
        first = chat.say(thread, "first")
    definition = THREADS if kind == "threads" else {**MESSAGES, "threadId": threads[0]}
    if kind == "replies":
        definition["parentId"] = first["id"]
        for number in range(30):
            chat.say(threads[0], f"reply {number}", parentId=first["id"])
    owner = chat if side == "customer" else Desk(gw)
    follower = make(gw, owner, definition)
    follower.connect()
    compared = 0
    for _ in range(ROUNDS):
        writers = Writers(gw, chat, threads, seed)
        try:
            for _ in range(6):
                fetch(follower, "next" if kind == "threads" else seed.choice(["previous", "next"]))
                choice = seed.random()
                if choice < 0.3:
                    follower.connect()  # cut, and resumed by its last id
                elif choice < 0.4 and kind != "threads":
                    answer = gw.post(f"{follower.path}/viewpoint", {}, token=owner.token)
                    assert answer.status == 204, answer
                compared += compare(follower, writers.removed)
            if seed.random() < 0.4:
                gw.kill()
                gw.start()
                before = follower.incarnation
                follower.connect()
                while follower.step() != "ready":
                    pass
                assert follower.incarnation != before and follower.snapshots > 0
        finally:
            writers.stop()
        compared += compare(follower)
    assert compared >= ROUNDS, compared
    # In the end everything is there.
    direction = "next" if kind == "threads" else "previous"
    while gw.post(f"{follower.path}/fetch", {"direction": direction}, token=owner.token)["hasMore"] and len(follower.items) < 200:
        compare(follower)
    assert compare(follower)
    if kind == "threads":
        assert sorted(item["id"] for item in follower.items) == sorted(threads)
    elif kind == "messages" and not follower.get()["hasPrevious"]:
        assert [item["id"] for item in follower.items] == [message["id"] for message in chat.history(threads[0])]
    follower.close()
