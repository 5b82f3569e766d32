"""How the gateway ends, and what keeps it from starting."""

import http.client
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import tempfile
import threading
import time
import uuid

import pytest
from database import sqlite_only
from serving import Chat, Gateway, Gone, binary, in_threads, until
from streams import Crowd, Stream, connect

GRACE = 10


def run(*arguments, environment=None, deadline=20, **popen):
    """Starts a gateway that should not get far; its exit code and what it said."""
    process = subprocess.Popen([binary(), "serve", *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env={**os.environ, **(environment or {})}, **popen)
    try:
        words, _ = process.communicate(timeout=deadline)
    except subprocess.TimeoutExpired:
        process.kill()
        words, _ = process.communicate()
        pytest.fail(f"it runs, and should have ended: {words}")
    return process.returncode, words


def test_a_sandbox_in_use_ends_as_well():
    """Its clients are written to, and new ones come, while it stops."""
    with Gateway(arguments=["--cxone-sandbox"]) as far, Gateway() as near:
        place = next(each for each in far.get("/v1/info")["sandbox"]["channels"] if each["channel"] == "multi")
        sandbox = far.get("/v1/info")["sandbox"]
        rooms = []
        for _ in range(6):
            session = near.post("/v1/sessions", {
                "service": "cxone", "brandId": sandbox["brandId"], "channelId": place["id"],
                "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]}})
            path = f"/v1/sessions/{session['id']}"
            thread = near.post(f"{path}/threads")["id"]
            near.post(f"{path}/threads/{thread}/messages", {"text": "first"})
            rooms.append((path, thread))
        stopping, written = threading.Event(), threading.Semaphore(0)

        def desk(room):
            client = far.client()
            while not stopping.is_set():
                try:
                    client.call("POST", f"/v1/desk/threads/{room[1]}/messages", {"text": "hello"})
                    written.release()
                except Gone:
                    return

        def storm(_):
            target = f"/socket?brandId={sandbox['brandId']}&channelId={place['id']}&visitorId={uuid.uuid4()}&customerId={uuid.uuid4()}"
            while not stopping.is_set():
                try:
                    with socket.create_connection((far.host, far.port), timeout=5) as link:
                        link.sendall((f"GET {target} HTTP/1.1\r\nHost: {far.host}:{far.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
                        link.recv(4096)
                except OSError:
                    if stopping.wait(0.01):
                        return

        writing = in_threads(desk, rooms)
        coming = in_threads(storm, range(4))
        for _ in range(60):
            assert written.acquire(timeout=20)
        far.signal(signal.SIGTERM)
        assert far.wait(GRACE + 5) == 0
        assert "Fatal error" not in far.log_file.read_text(errors="replace")
        assert "Cannot schedule" not in far.log_file.read_text(errors="replace")
        stopping.set()
        writing()
        coming()


def check_refusal(answer, *words, code=1):
    """One line that says what is wrong; no trace, no Swift type."""
    status, said = answer
    assert status == code, f"exit code {status}: {said}"
    assert all(word in said for word in words), said
    assert "Fatal error" not in said and "Swift." not in said and "Error(" not in said, said


# -- the end


def test_streams_end_cleanly(gw):
    chat = Chat(gw)
    thread = chat.thread()
    streams = [Stream(gw, f"{chat.path}/events", chat.token) for _ in range(20)] + [Stream(gw, "/v1/desk/events")]
    for stream in streams:
        stream.ready()
        stream.parser.retry = None
    last = chat.say(thread, "last words")["id"]
    start = time.monotonic()
    gw.signal(signal.SIGTERM)
    for stream in streams:
        events = stream.rest(GRACE)
        assert stream.parser.is_over, "a stream broke off instead of ending"
        assert any(event.name == "message.created" and event.json["message"]["id"] == last for event in events)
    assert gw.wait(GRACE) == 0
    assert time.monotonic() - start < GRACE
    waits = [stream.parser.retry for stream in streams]
    assert None not in waits, "a stream ended without a retry"
    assert len(set(waits)) > len(waits) // 2, f"no jitter: {waits}"
    wal = gw.folder / "parley.sqlite-wal"
    assert not wal.exists() or wal.stat().st_size == 0, "the write-ahead log is not folded in"
    assert not (gw.folder / "address").exists()
    gw.start()
    assert [message["id"] for message in chat.history(thread)] == [last]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_sends_in_flight_finish(gw, number):
    """Each is acknowledged and there, or refused and not there, or never got in. Six times, for it is a matter of moments."""
    chat = Chat(gw)
    for _ in range(6):
        thread = chat.thread()
        chat.say(thread, "opening")
        acknowledged, refused, unknown, took = end_while_sending(gw, chat, thread, number)
        gw.start()
        stored = [message["id"] for message in chat.history(thread)][1:]
        assert len(stored) == len(set(stored)) and acknowledged <= set(stored), "an acknowledged message is lost"
        assert not refused & set(stored), "a refused message was stored"
        assert set(stored) <= acknowledged | unknown
        unanswered = unknown & set(stored)
        print(f"{len(acknowledged)} acknowledged, {len(refused)} refused, {len(unknown)} without an answer "
              f"({len(unanswered)} of these stored), ended after {took:.2f} s")
        assert took < GRACE, f"took {took:.1f} s"
        assert not unanswered, f"{len(unanswered)} sends were stored, and their answers were not waited for"


def end_while_sending(gateway, chat, thread, number):
    """Signals in the middle of sends: the ids acknowledged, refused, without an answer; and the seconds to the end."""
    acknowledged, refused, unknown, codes = set(), set(), set(), set()
    mutex, started = threading.Lock(), threading.Event()

    def send(_):
        client = gateway.client(chat.token)
        while len(refused) < 5000:
            id = str(uuid.uuid4())
            try:
                answer = client.call("POST", chat.messages_path(thread), {"id": id, "text": "in flight"})
            except Gone:
                with mutex:
                    unknown.add(id)
                return
            with mutex:
                if answer.status == 201:
                    acknowledged.add(id)
                    if len(acknowledged) > 50:
                        started.set()
                else:
                    codes.add((answer.status, answer.code))
                    refused.add(id)

    join = in_threads(send, range(12))
    assert started.wait(30)
    start = time.monotonic()
    gateway.signal(number)
    assert gateway.wait(GRACE + 5) == 0
    took = time.monotonic() - start
    join()
    assert codes <= {(503, "shuttingDown")}, codes
    return acknowledged, refused, unknown, took


def test_a_request_half_sent_does_not_hold_the_end_up(gw):
    chat = Chat(gw)
    thread = chat.thread()
    halves = []
    for sent in ("POST ", f"POST {chat.messages_path(thread)} HTTP/1.1\r\nHost: {gw.host}:{gw.port}\r\n",
                 f"POST {chat.messages_path(thread)} HTTP/1.1\r\nHost: {gw.host}:{gw.port}\r\nAuthorization: Bearer {chat.token}\r\n"
                 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"text":'):
        link = socket.create_connection((gw.host, gw.port))
        link.sendall(sent.encode())
        halves.append(link)
    until("the connections to be known", lambda: gw.metrics()["parley_http_connections"] >= 3)
    start = time.monotonic()
    assert gw.stop() == 0
    assert time.monotonic() - start < GRACE
    gw.start()
    assert chat.history(thread) == []


def test_a_stopped_reader_does_not_hold_the_end_up(gw):
    chat = Chat(gw)
    thread = chat.thread()
    with Stream(gw, f"{chat.path}/events", chat.token, receive_buffer=4096) as stopped:
        stopped.ready()
        for _ in range(160):
            chat.say(thread, "w" * 60000)
        assert gw.metrics()["parley_stream_lag_events"] > 0
        start = time.monotonic()
        gw.signal(signal.SIGTERM)
        assert gw.wait(GRACE + 5) == 0
        took = time.monotonic() - start
        stopped.rest()
        assert not stopped.parser.is_over, "a stream that lacks events must not look like one that ended"
    assert took < GRACE, f"took {took:.1f} s"
    wal = gw.folder / "parley.sqlite-wal"
    assert not wal.exists() or wal.stat().st_size == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_second_signal(gw, number):
    """Supervisors repeat SIGTERM: it changes nothing. A person's second Ctrl-C ends the process at once."""
    chat = Chat(gw)
    thread = chat.thread()
    # Something that the first signal waits for: a stopped reader with bytes to take.
    with Stream(gw, f"{chat.path}/events", chat.token, receive_buffer=4096) as stopped:
        stopped.ready()
        sent = [chat.say(thread, "w" * 60000)["id"] for _ in range(160)]
        gw.signal(signal.SIGTERM)
        until("the listening socket to be closed", lambda: not listens(gw), 5)
        assert gw.process.poll() is None, "the first signal already ended it: the test shows nothing"
        start = time.monotonic()
        gw.signal(number)
        code = gw.wait(GRACE)
        took = time.monotonic() - start
    if number == signal.SIGINT:
        assert took < 1.5, f"took {took:.1f} s after the second signal"
        assert code == 130
    else:
        assert code == 0
    gw.start()
    assert [message["id"] for message in chat.history(thread)] == sent


def listens(gateway):
    try:
        socket.create_connection((gateway.host, gateway.port), timeout=1).close()
        return True
    except OSError:
        return False


def test_the_end_of_a_thousand_streams(gw):
    chats = [Chat(gw) for _ in range(10)]
    crowd = Crowd(lambda member, event: None)
    for number in range(1000):
        chat = chats[number % 10]
        crowd.add(connect(gw.host, gw.port, f"{chat.path}/events", chat.token))
    crowd.wait_ready()
    for member in crowd.members:
        member.parser.retry = None
    start = time.monotonic()
    gw.signal(signal.SIGTERM)
    crowd.read("the end of all streams", lambda: all(member.is_gone for member in crowd.members), GRACE)
    assert gw.wait(GRACE) == 0
    took = time.monotonic() - start
    crowd.close()
    assert took < GRACE, f"took {took:.1f} s"
    assert all(member.parser.is_over for member in crowd.members), "streams broke off instead of ending"
    waits = [member.parser.retry for member in crowd.members]
    assert None not in waits and max(waits) - min(waits) > 1000, "a thousand readers would come back in one instant"
    print(f"1,000 streams ended in {took:.2f} s, retry {min(waits)}-{max(waits)} ms")


def test_terminated_while_it_starts():
    """A signal between launch and ready ends it too, and leaves nothing that a next start trips over."""
    gateway = Gateway()
    try:
        gateway.start()
        chat = Chat(gateway)
        gateway.stop()
        for wait in (0.0, 0.02, 0.05, 0.1, 0.2):
            gateway.launch()
            time.sleep(wait)
            gateway.signal(signal.SIGTERM)
            assert gateway.wait(GRACE) in (0, -signal.SIGTERM, 143)
        gateway.start()
        assert gateway.get(chat.path, token=chat.token)["state"] == "ready"
    finally:
        gateway.close()


# -- the next start


def test_start_right_after_a_kill(gw):
    chat = Chat(gw)
    for _ in range(3):
        gw.kill()
        start = time.monotonic()
        gw.start()
        print(f"ready {time.monotonic() - start:.2f} s after the kill")
        assert gw.get(chat.path, token=chat.token)["state"] == "ready"


def test_second_gateway_on_the_same_folder(gw):
    answer = run("--listen", "127.0.0.1:0", "--data", gw.folder)
    check_refusal(answer, "Another gateway", str(gw.folder))
    assert gw.get("/readyz", token=None).status == 200
    assert (gw.folder / "address").read_text().strip().endswith(f":{gw.port}"), "the second one has overwritten the first one's address"


def test_port_taken(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        check_refusal(run("--listen", f"127.0.0.1:{port}", "--data", tmp_path / "data"), str(port))
    # Nothing remains that keeps the next one out.
    with Gateway(tmp_path):
        pass


def test_unix_socket_left_by_a_kill(tmp_path):
    """The file of a dead gateway is replaced; that of a live one, and what is no socket, is left alone."""
    path = tmp_path / "socket"
    gateway = Gateway(tmp_path, arguments=["--listen", f"unix:{path}"])
    try:
        gateway.start()
        gateway.kill()
        assert path.is_socket()
        gateway.start()
        check_refusal(run("--listen", f"unix:{path}", "--data", tmp_path / "other"), str(path))
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(str(path))
            link.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            assert link.recv(1000).startswith(b"HTTP/1.1 200 ")
        assert gateway.stop() == 0
        assert not path.exists()
    finally:
        gateway.close()
    path.write_text("precious")
    check_refusal(run("--listen", f"unix:{path}", "--data", tmp_path / "other"), str(path))
    assert path.read_text() == "precious"


def unprivileged():
    """A user without rights, where the tests run as root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


@pytest.fixture
def foreign():
    """A folder in which the unprivileged child may not write; the path to it may be walked by all."""
    if os.geteuid() == 0 and subprocess.run(["test", "-x", binary()], preexec_fn=unprivileged).returncode:
        pytest.skip(f"{binary()} cannot be run by another user")
    with tempfile.TemporaryDirectory(prefix="parley-foreign-") as root:
        os.chmod(root, 0o711)
        folder = pathlib.Path(root) / "foreign"
        folder.mkdir(mode=0o555)
        yield folder
        folder.chmod(0o755)


def test_unwritable_folder(foreign):
    answer = run("--listen", "127.0.0.1:0", "--data", foreign, preexec_fn=unprivileged)
    check_refusal(answer, str(foreign), "not writable")


def test_folder_that_cannot_be_made(foreign):
    answer = run("--listen", "127.0.0.1:0", "--data", foreign / "data", preexec_fn=unprivileged)
    check_refusal(answer, str(foreign / "data"))


def test_folder_that_is_a_file(tmp_path):
    (tmp_path / "data").write_text("")
    check_refusal(run("--listen", "127.0.0.1:0", "--data", tmp_path / "data"), str(tmp_path / "data"))


def content(folder):
    """What the database holds, as SQL."""
    database = sqlite3.connect(folder / "parley.sqlite")
    try:
        return list(database.iterdump())
    finally:
        database.close()


def change(folder, statement):
    database = sqlite3.connect(folder / "parley.sqlite")
    try:
        with database:
            database.execute(statement)
    finally:
        database.close()


@sqlite_only("it changes SQLite's file")
def test_database_of_a_newer_version(gw):
    chat = Chat(gw)
    gw.stop()
    change(gw.folder, "INSERT INTO grdb_migrations (identifier) VALUES ('99')")
    before = content(gw.folder)
    check_refusal(run("--listen", "127.0.0.1:0", "--data", gw.folder), "newer version")
    assert content(gw.folder) == before, "a database of a newer version was changed"
    change(gw.folder, "DELETE FROM grdb_migrations WHERE identifier = '99'")
    gw.start()
    assert gw.get(chat.path, token=chat.token).status == 200


@sqlite_only("it changes SQLite's file")
def test_database_that_is_none(gw):
    gw.stop()
    for name in ("parley.sqlite-wal", "parley.sqlite-shm"):
        (gw.folder / name).unlink(missing_ok=True)
    (gw.folder / "parley.sqlite").write_bytes(b"This is no database. " * 500)
    check_refusal(run("--listen", "127.0.0.1:0", "--data", gw.folder), "parley.sqlite")


@sqlite_only("it removes SQLite's file")
@pytest.mark.parametrize("is_empty", [True, False])
def test_missing_database(gw, is_empty):
    """An empty database knows none of the files: the gateway does not start with it, and touches nothing."""
    chat = Chat(gw)
    connection = http.client.HTTPConnection(gw.host, gw.port, timeout=10)
    connection.request("POST", f"{chat.path}/attachments", b"bytes", {
        "Authorization": f"Bearer {chat.token}", "Content-Type": "text/plain"})
    uploaded = json.loads(connection.getresponse().read())
    connection.close()
    gw.stop()
    database = gw.folder / "parley.sqlite"
    kept = database.read_bytes()
    for name in ("parley.sqlite", "parley.sqlite-wal", "parley.sqlite-shm"):
        (gw.folder / name).unlink(missing_ok=True)
    if is_empty:
        database.write_bytes(b"")
    check_refusal(run("--listen", "127.0.0.1:0", "--data", gw.folder), str(database), "missing or empty")
    assert (gw.folder / "files" / uploaded["id"]).read_bytes() == b"bytes"
    database.write_bytes(kept)
    gw.start()
    assert gw.get(chat.path, token=chat.token).status == 200


@pytest.mark.parametrize("name", ["token", "key"])
def test_unreadable_secret(gw, name):
    gw.stop()
    file = gw.folder / name
    file.unlink()
    file.mkdir()
    check_refusal(run("--listen", "127.0.0.1:0", "--data", gw.folder), str(file))
    assert file.is_dir()


@sqlite_only("gateways of one database refuse another key; see test_shared_gateways.py")
def test_missing_key(gw):
    """Removing the key is how all sessions' tokens are made void: a new one is made, and a line says what that means."""
    chat = Chat(gw)
    gw.stop()
    (gw.folder / "key").unlink()
    gw.start()
    assert gw.get(chat.path, token=chat.token).status == 401
    assert gw.get(chat.path).status == 200
    gw.wait_for_log("the tokens of all sessions are not valid any more")


@pytest.mark.parametrize("name", ["token", "key"])
def test_damaged_secret(gw, name):
    """A secret that is cut off is never quietly used or replaced: tokens that were given out depend on it."""
    gw.stop()
    file = gw.folder / name
    whole = file.read_text()
    file.write_text(whole[:20])
    check_refusal(run("--listen", "127.0.0.1:0", "--data", gw.folder), str(file))
    assert file.read_text() == whole[:20]


CONFIGURATION = {
    "unknown key": ({"colour": "blue"}, "colour"),
    "wrong kind": ({"stream-limit": "many"}, "stream-limit"),
    "no object": ([1], "object"),
    "no JSON": ("{", "JSON"),
    "level": ({"log-level": "loud"}, "log-level"),
    "verbosity": ({"log-verbosity": "loud"}, "log-verbosity"),
    "address": ({"listen": ["nowhere"]}, "nowhere"),
    "public": ({"listen": ["0.0.0.0:0"]}, "--listen-public"),
    "negative limit": ({"stream-limit": -1}, "stream-limit"),
    "negative retention": ({"retention-days": -1}, "retention-days"),
    "negative count": ({"retention-events": -5}, "retention-events"),
    "no connections": ({"connection-limit": 0}, "connection-limit"),
}


@pytest.mark.parametrize("case", CONFIGURATION)
def test_configuration_errors(tmp_path, case):
    content, word = CONFIGURATION[case]
    file = tmp_path / "parley.json"
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    arguments = [] if case in ("address", "public") else ["--listen", "127.0.0.1:0"]
    check_refusal(run("--config", file, "--data", tmp_path / "data", *arguments, deadline=5), word)


def test_configuration_that_is_not_there(tmp_path):
    file = tmp_path / "none.json"
    check_refusal(run("--config", file, "--data", tmp_path / "data", "--listen", "127.0.0.1:0"), str(file))


def test_environment_error(tmp_path):
    answer = run("--data", tmp_path / "data", "--listen", "127.0.0.1:0", environment={"PARLEY_STREAM_LIMIT": "many"})
    check_refusal(answer, "PARLEY_STREAM_LIMIT")
