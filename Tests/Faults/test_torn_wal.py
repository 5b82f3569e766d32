"""The end of the write-ahead log is torn, as by a power cut: a consistent beginning remains, and nothing is invented."""

import sqlite3

import pytest
from database import sqlite_only
from serving import Chat, Gateway
from streams import Stream

pytestmark = sqlite_only("it tears SQLite's write-ahead log")

SENDS = 40


def cut(count):
    return lambda wal, seed: wal[:-count]


def cut_somewhere(wal, seed):
    return wal[: seed.randrange(len(wal) // 2, len(wal))]


def garble(count):
    def change(wal, seed):
        return wal[:-count] + bytes(byte ^ seed.randrange(1, 256) for byte in wal[-count:])

    return change


def garble_one_byte(wal, seed):
    at = seed.randrange(len(wal) // 2, len(wal))
    return wal[:at] + bytes([wal[at] ^ 0x10]) + wal[at + 1 :]


def zero(count):
    return lambda wal, seed: wal[:-count] + bytes(count)


def append_old_frames(wal, seed):
    return wal + wal[-4120 * 3 :] + b"\x55" * 777


TEARS = {
    "cut 1 byte": cut(1), "cut a frame's head": cut(4096), "cut a frame": cut(4120), "cut 3 frames": cut(3 * 4120),
    "cut somewhere": cut_somewhere, "garbled 8 bytes": garble(8), "garbled 5000 bytes": garble(5000),
    "garbled one byte": garble_one_byte, "zeros": zero(6000), "rubbish behind": append_old_frames,
    "all but the head": lambda wal, seed: wal[:32], "half a head": lambda wal, seed: wal[:16], "empty": lambda wal, seed: b"",
}


@pytest.mark.parametrize("tear", TEARS)
def test_torn_wal(tear, seed):
    gateway = Gateway()
    try:
        gateway.start()
        chat = Chat(gateway)
        thread = chat.thread()
        first = chat.say(thread, "before")
        gateway.stop()  # folds the write-ahead log into the database: what follows is all that may be torn
        gateway.start()
        noted = (gateway.folder / "head").read_bytes()
        sent = [chat.say(thread, f"message {number} " + "y" * seed.randrange(600))["id"] for number in range(SENDS)]
        head = gateway.get("/v1/info")["head"]
        with Stream(gateway, f"{chat.path}/events", chat.token) as stream:
            cursor = stream.ready()[-1].id
        gateway.kill()

        wal = gateway.folder / "parley.sqlite-wal"
        whole = wal.read_bytes()
        assert len(whole) > SENDS * 4096, "the test needs its sends in the write-ahead log"
        wal.write_bytes(TEARS[tear](whole, seed))
        # The gateway notes its head once a minute, the first time while this test sends. A note of a send that is lost makes
        # the head leap (RestoredDatabaseTests); what is tested here is the log of a gateway that noted nothing meanwhile.
        (gateway.folder / "head").write_bytes(noted)

        gateway.start()
        order = [first["id"], *sent]
        kept = [message["id"] for message in chat.history(thread)]
        assert kept == order[: len(kept)], "what remains is no beginning of what was sent"
        assert kept, "what was folded into the database is lost"
        if tear == "rubbish behind":
            assert kept == order
        print(f"{tear}: {len(kept)} of {len(order)} messages remain")

        # Rows and log tell the same story.
        now = gateway.get("/v1/info").json
        assert now["head"] <= head and now["epoch"] == cursor.rpartition("-")[0]
        with Stream(gateway, f"{chat.path}/events?after={now['epoch']}-{now['floor']}", chat.token) as stream:
            told = [event.json["message"]["id"] for event in stream.ready() if event.name == "message.created"]
        assert told == kept
        threads = gateway.get(f"{chat.path}/threads", token=chat.token)["items"]
        assert threads[0]["lastMessage"]["id"] == kept[-1]
        # A reader that was further than what remains is told so.
        with Stream(gateway, f"{chat.path}/events", chat.token, last_id=cursor) as stream:
            seen = stream.ready()
            assert [event.name for event in seen] == (["ready"] if now["head"] == head else ["reset", "ready"])
            assert now["head"] == head or seen[0].json["reason"] == "ahead"

        # What is lost may be sent again; the rest of life goes on.
        again = chat.say(thread, "after")
        assert [message["id"] for message in chat.history(thread)] == [*kept, again["id"]]
        assert gateway.stop() == 0
        with sqlite3.connect(f"file:{gateway.folder}/parley.sqlite?mode=ro", uri=True) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    finally:
        gateway.close()
