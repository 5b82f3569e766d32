"""A gateway that is killed while files come in leaves nothing of them, and loses none that it had acknowledged."""

import hashlib
import os
import socket
import threading
import time

from serving import Chat, until

ROUNDS = int(os.environ.get("PARLEY_KILL_ROUNDS", "5"))


def names(folder):
    return {path.name for path in folder.iterdir() if path.is_file()}


class Uploader:
    """Uploads files of random sizes one after the other, and sends some of them, until the gateway is dead."""

    def __init__(self, gateway, chat, thread, random):
        self.kept, self.sent, self.fault = {}, set(), None
        self._gateway, self._chat, self._thread_id, self._random = gateway, chat, thread, random
        self.first = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        client = self._gateway.client(self._chat.token)
        try:
            while True:
                data = os.urandom(self._random.choice([1, 5_000, 300_000, 3_000_000]))
                answer = client._connection  # one kept connection: requests of bytes go beside its JSON
                answer.request("POST", f"{self._chat.path}/attachments", data,
                               {"Authorization": f"Bearer {self._chat.token}", "Content-Type": "application/octet-stream"})
                response = answer.getresponse()
                body = response.read()
                assert response.status == 201, body
                id = body.split(b'"')[3].decode()
                self.kept[id] = hashlib.sha256(data).hexdigest()
                self.first.set()
                if self._random.random() < 0.5:
                    sent = client.call("POST", self._chat.messages_path(self._thread_id), {"attachments": [{"id": id}]})
                    assert sent.status == 201, sent
                    self.sent.add(id)
        except Exception as fault:  # what a kill does to a connection has many names
            self.fault = fault

    def join(self):
        self._thread.join(30)
        assert not self._thread.is_alive()
        assert not isinstance(self.fault, AssertionError), self.fault


def test_a_kill_in_the_middle_of_uploads_leaves_no_orphan(gw, seed):
    chat = Chat(gw)
    thread = chat.thread()
    kept = {}
    for _ in range(ROUNDS):
        uploaders = [Uploader(gw, chat, thread, seed) for _ in range(3)]
        # And one that never comes to its end.
        half = socket.create_connection((gw.host, gw.port), timeout=20)
        half.sendall((f"POST {chat.path}/attachments HTTP/1.1\r\nHost: {gw.host}:{gw.port}\r\nAuthorization: Bearer {chat.token}\r\n"
                      f"Content-Type: image/png\r\nContent-Length: 9000000\r\n\r\n").encode() + b"x" * 2_000_000)
        assert all(uploader.first.wait(30) for uploader in uploaders)
        time.sleep(seed.random() * 0.5)
        gw.kill()
        half.close()
        for uploader in uploaders:
            uploader.join()
            kept |= uploader.kept
        gw.start()
        files = gw.folder / "files"
        # The sweep follows the start. Its rows may be more than what was acknowledged, its files are exactly its rows.
        until("what was being received to go", lambda: names(files / "incoming") == set())
        until("files without rows to go", lambda: names(files) == rows(gw))
        assert set(kept) <= names(files), "an acknowledged file is gone"
        for id, digest in kept.items():
            assert hashlib.sha256((files / id).read_bytes()).hexdigest() == digest


def rows(gateway):
    """The ids of all attachments, from the database itself."""
    import sqlite3
    database = sqlite3.connect(f"file:{gateway.folder}/parley.sqlite?mode=ro", uri=True)
    try:
        return {row[0] for row in database.execute("SELECT id FROM attachment")}
    finally:
        database.close()
