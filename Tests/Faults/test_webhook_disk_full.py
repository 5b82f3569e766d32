"""No room for what deliveries store: nothing is sent twice while the process lives, nothing spins, and all arrives.

A file size limit stands for the full disk: every write fails from one moment to the next, and works again from another.
"""

import collections
import contextlib
import os
import pathlib
import resource
import threading
import time

from database import sqlite_only
from serving import Chat, Gateway, in_threads, until
from streams import Stream
from test_disk_full import SIZE, Load, fill, small_disk  # noqa: F401
from webhook_receiver import Answer, Hook, Receiver

pytestmark = sqlite_only("the disk that is full is that of SQLite's files")

#: Retries of what could not be stored come after 1, 2 and 4 s: this is after the second.
WHILE = 4.5


@contextlib.contextmanager
def no_room(gateway):
    soft, hard = resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (soft, hard))


def processor_seconds(gateway):
    fields = pathlib.Path(f"/proc/{gateway.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check_once(gateway, receiver, start):
    """All events of the log came, each once, those of a thread in their order."""
    with Stream(gateway, f"/v1/desk/events?after={start}") as stream:
        log = [event for event in stream.ready()[:-1] if event.offset is not None]
    counts = collections.Counter(each.id for each in receiver.receipts)
    assert counts.keys() == {event.id for event in log} and set(counts.values()) == {1}, counts.most_common(3)
    offsets = {}
    for receipt in receiver.receipts:
        offsets.setdefault(receipt.thread, []).append(receipt.offset)
    assert all(each == sorted(each) for each in offsets.values())


def head(gateway):
    info = gateway.get("/v1/info").json
    return f"{info['epoch']}-{info['head']}"


def test_results_that_cannot_be_stored(gw):
    held, released = threading.Semaphore(0), threading.Event()

    def behave(_):
        held.release()
        released.wait(14)
        return Answer()

    with Receiver(behave) as receiver:
        start = head(gw)
        hook = Hook(gw, receiver, concurrency=4)
        chat = Chat(gw)
        threads = [chat.thread() for _ in range(4)]
        for thread in threads:
            for number in range(5):
                chat.say(thread, f"{number}")
        for _ in threads:
            assert held.acquire(timeout=20)
        until("all to be taken", lambda: gw.get(f"{hook.path}/deliveries?state=pending&limit=200")["items"])
        lag = hook.json["lag"]
        with no_room(gw):
            assert gw.post(chat.messages_path(threads[0]), {"text": "refused"}, token=chat.token).status in (500, 507)
            before, begin = processor_seconds(gw), time.monotonic()
            released.set()
            # What had been taken is sent, once, although nothing of it can be stored.
            until("all that was taken to be sent", lambda: len(receiver.receipts) >= len(threads))
            time.sleep(WHILE)
            sent, spent, took = len(receiver.receipts), processor_seconds(gw) - before, time.monotonic() - begin
            assert hook.json["lag"] == lag and len({each.id for each in receiver.receipts}) == sent
            print(f"{sent} of {lag} sent, {spent:.2f} s of processor time in {took:.1f} s without room")
            assert spent < took / 4
        until("all to be stored", lambda: hook.json["lag"] == 0)
        check_once(gw, receiver, start)
        chat.say(threads[0], "room again")
        until("it to arrive", lambda: hook.json["lag"] == 0)
        check_once(gw, receiver, start)


def test_room_that_comes_and_goes(gw, seed):
    """It goes at any moment: between an event and its taking, between an answer and its result."""
    with Receiver(lambda _: Answer(delay=seed.random() * 0.02)) as receiver:
        start = head(gw)
        hook = Hook(gw, receiver)
        chat = Chat(gw)
        threads = [chat.thread() for _ in range(6)]
        stopping = threading.Event()
        counts = collections.Counter()

        def talk(thread):
            client = gw.client(chat.token)
            while not stopping.is_set():
                status = client.call("POST", chat.messages_path(thread), {"text": "t" * 200}).status
                assert status in (201, 500, 503, 507), status
                counts[status == 201] += 1
                stopping.wait(0.02)

        join = in_threads(talk, threads)
        for _ in range(8):
            time.sleep(0.1 + 0.3 * seed.random())
            with no_room(gw):
                time.sleep(0.1 + 0.6 * seed.random())
            # Not before something is taken again.
            taken = counts[True]
            until("a send to be taken", lambda taken=taken: counts[True] > taken)
        stopping.set()
        join()
        assert counts[False] > 20, "the room was never missed"
        # What failed last is tried again within a minute.
        until("all to arrive", lambda: hook.json["lag"] == 0, 70)
        check_once(gw, receiver, start)
        assert hook.json["state"] == "active"
        print(f"{counts[True]} taken, {counts[False]} refused, {len(receiver.receipts)} delivered")


def test_a_disk_that_is_full(small_disk):
    """The same with a file system that has no room: which write fails first is its own choice."""
    with Receiver() as receiver, Gateway(small_disk) as gateway:
        start = head(gateway)
        hook = Hook(gateway, receiver)
        chat = Chat(gateway)
        thread = chat.thread()
        chat.say(thread, "opening")
        ballast = small_disk / "ballast"
        ballast.write_bytes(bytes(SIZE * 2 // 3))
        load = Load(gateway, chat, thread)
        assert len(load.acknowledged) > 50, "the disk was full before the test began"
        fill(ballast)
        before = processor_seconds(gateway)
        time.sleep(WHILE)
        counts = collections.Counter(each.id for each in receiver.got())
        assert set(counts.values()) == {1} and processor_seconds(gateway) - before < WHILE / 4
        ballast.unlink()
        until("sends to work again", lambda: gateway.get("/readyz", token=None).status == 200)
        chat.say(thread, "room again")
        until("all to arrive", lambda: hook.json["lag"] == 0, 70)
        check_once(gateway, receiver, start)
