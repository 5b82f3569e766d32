"""No room for what is to be stored: a plain refusal, nothing lost, and no restart needed once there is room again."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import uuid

import pytest
from database import sqlite_only
from serving import Chat, Gateway, Gone, in_threads, until
from streams import Stream

pytestmark = sqlite_only("the disk that is full is that of SQLite's files")

SIZE = 24 << 20


@pytest.fixture
def small_disk():
    """A file system of its own with 24 MiB."""
    if os.geteuid() != 0:
        pytest.skip("mounting a small file system needs root")
    with tempfile.TemporaryDirectory(prefix="parley-disk-") as folder:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "parley-test", folder], capture_output=True, text=True)
        if mounted.returncode:
            pytest.skip(f"no file system can be mounted here: {mounted.stderr.strip()}")
        try:
            yield pathlib.Path(folder)
        finally:
            subprocess.run(["umount", "-l", folder], check=True)


def fill(path):
    """Takes what room there is, to the last page."""
    with open(path, "ab", buffering=0) as file:
        for size in (1 << 20, 4096):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)) == size:
                    pass


def turns_unready(gateway, send):
    """Whether /readyz says 503 while `send` goes on: a checkpoint frees the write-ahead log, and then some more go through."""

    def is_unready():
        send()
        return gateway.get("/readyz", token=None).status == 503

    try:
        return until("/readyz to turn 503", is_unready, every=0)
    except AssertionError:
        return False


class Load:
    """Senders on both sides that go on until each was refused `refusals` times."""

    def __init__(self, gateway, chat, thread, refusals=3, texts=2000):
        self.acknowledged, self.refused, self.faults = {}, {}, []
        self._mutex = threading.Lock()
        self._gateway, self._chat, self._thread = gateway, chat, thread
        self._refusals, self._length = refusals, texts
        in_threads(self._send, range(8))(120)

    def _send(self, number):
        is_desk = number % 2 == 1
        path = f"/v1/desk/threads/{self._thread}/messages" if is_desk else self._chat.messages_path(self._thread)
        client = self._gateway.client(self._gateway.token if is_desk else self._chat.token)
        refused = 0
        while refused < self._refusals:
            refused += not self.try_once(client, path, number)

    def try_once(self, client, path, number=0):
        """Whether one more message was taken."""
        id = str(uuid.uuid4())
        text = f"{number} " + "d" * self._length
        answer = client.call("POST", path, {"id": id, "text": text})
        with self._mutex:
            if answer.status == 201:
                self.acknowledged[id] = text
                return True
            self.refused[id] = (path, text)
            self.faults.append((answer.status, answer.code))
            return False


def check_history(chat, thread, acknowledged, beside=()):
    messages = chat.history(thread)
    stored = {message["id"]: message["text"] for message in messages}
    assert len(stored) == len(messages), "a message is there twice"
    lost = acknowledged.keys() - stored.keys()
    assert not lost, f"{len(lost)} acknowledged messages are lost"
    assert stored.keys() - set(beside) == acknowledged.keys(), "a refused message was stored"
    assert all(stored[id] == text for id, text in acknowledged.items())
    return messages


def test_disk_full(small_disk):
    gateway = Gateway(small_disk)
    ballast = small_disk / "ballast"
    try:
        gateway.start()
        chat = Chat(gateway)
        thread = chat.thread()
        opening = chat.say(thread, "opening")["id"]
        with Stream(gateway, f"{chat.path}/events", chat.token) as stream:
            stream.ready()
            ballast.write_bytes(bytes(SIZE // 2))
            load = Load(gateway, chat, thread)
            assert set(load.faults) == {(507, "storageFull")}, set(load.faults)
            assert len(load.acknowledged) > 50, "the disk was full before the test began"
            fill(ballast)

            # It refuses, and says that it does; everything else goes on.
            unready = turns_unready(gateway, lambda: load.try_once(gateway.client(chat.token), chat.messages_path(thread)))
            assert gateway.get("/livez", token=None).status == 200
            refused = gateway.post(chat.messages_path(thread), {"text": "s" * 5000}, token=chat.token)
            assert (refused.status, refused.code) == (507, "storageFull"), refused
            check_history(chat, thread, load.acknowledged, [opening])
            assert gateway.get(f"{chat.path}/threads", token=chat.token).status == 200
            assert gateway.get(f"/v1/desk/threads/{thread}/messages").status == 200
            # The stream tells of what was acknowledged, and of nothing else; a new one replays the same.
            seen = set()
            while not load.acknowledged.keys() <= seen:
                event = stream.next()
                assert event, "the stream ended on a full disk"
                if event.name == "message.created":
                    seen.add(event.json["message"]["id"])
            assert seen == load.acknowledged.keys()
            with Stream(gateway, f"{chat.path}/events?after={stream.last_id.rpartition('-')[0]}-0", chat.token) as again:
                replayed = [event.json["message"]["id"] for event in again.ready() if event.name == "message.created"]
            assert len(replayed) == len(set(replayed)) and set(replayed) == seen | {opening}

            # Room again: no restart, and what was refused may be sent with the same id.
            ballast.unlink()
            until("sends to work again", lambda: gateway.get("/readyz", token=None).status == 200)
            for id, (path, text) in load.refused.items():
                answer = gateway.post(path, {"id": id, "text": text}, token=gateway.token if "desk" in path else chat.token)
                assert answer.status == 201, answer
                load.acknowledged[id] = text
            messages = check_history(chat, thread, load.acknowledged, [opening])
            while not load.acknowledged.keys() <= seen:
                event = stream.next()
                if event.name == "message.created":
                    seen.add(event.json["message"]["id"])
        print(f"{len(load.acknowledged)} acknowledged, {len(load.refused)} of these after a refusal")
        assert gateway.stop() == 0
        gateway.start()
        assert chat.history(thread) == messages
        assert unready, "/readyz said 200 while every send was refused"
    finally:
        gateway.close()


def test_killed_on_a_full_disk(small_disk):
    """Neither the kill nor a start without room loses anything."""
    gateway = Gateway(small_disk)
    ballast = small_disk / "ballast"
    try:
        gateway.start()
        chat = Chat(gateway)
        thread = chat.thread()
        opening = chat.say(thread, "opening")["id"]
        ballast.write_bytes(bytes(SIZE * 2 // 3))
        load = Load(gateway, chat, thread, refusals=1)
        fill(ballast)
        gateway.kill()

        # Whether it starts without room is its own decision: it must say why not, and end; or refuse sends.
        gateway.launch()
        address = gateway.folder / "address"
        until("the gateway to start or to end", lambda: gateway.process.poll() is not None or (address.exists() and address.read_text()))
        code = gateway.process.poll()
        if code is None:
            gateway.host, gateway.port = "127.0.0.1", int(address.read_text().strip().rpartition(":")[2])
            until("an answer", lambda: gateway.get("/readyz", token=None).status in (200, 503))
            gateway.kill()
        else:
            assert code == 1, f"ended with {code}:\n{gateway.log()}"
            words = gateway.log().splitlines()[-1].lower()
            assert "full" in words or "space" in words, f"does not say why it ended: {words}"
        print(f"start on a full disk: {'serves' if code is None else gateway.log().splitlines()[-1]}")

        ballast.unlink()
        gateway.start()
        check_history(chat, thread, load.acknowledged, [opening])
        chat.say(thread, "room again")
    finally:
        gateway.close()


def test_file_size_limit():
    """A file that may not grow (`ulimit -f`, systemd's LimitFSIZE): an error of the send, not the gateway's end."""
    with Gateway() as gateway:  # Popen restores SIGXFSZ, which Python itself ignores: as a shell would start it
        chat = Chat(gateway)
        thread = chat.thread()
        opening = chat.say(thread, "opening")["id"]
        hard = resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (2 << 20, hard))
        try:
            load = Load(gateway, chat, thread, refusals=2)
        except Gone:
            code = gateway.wait()
            pytest.fail(f"the gateway ended with {code} ({signal.Signals(-code).name if code < 0 else 'exit'}) at a file size limit")
        assert {status for status, _ in load.faults} <= {500, 507}, load.faults
        unready = turns_unready(gateway, lambda: load.try_once(gateway.client(chat.token), chat.messages_path(thread)))
        check_history(chat, thread, load.acknowledged, [opening])
        resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (hard, hard))
        until("sends to work again", lambda: gateway.get("/readyz", token=None).status == 200)
        chat.say(thread, "room again")
        assert gateway.stop() == 0
        gateway.start()
        assert len(chat.history(thread)) == len(load.acknowledged) + 2
        assert unready, "/readyz said 200 while every send was refused"
