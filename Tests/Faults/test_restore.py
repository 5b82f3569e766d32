"""A backup is put back: offsets are not given out twice, and clients that have seen what is lost begin anew."""

import os
import shutil
import subprocess

import pytest
from database import sqlite_only
from postgres import Server, needs_postgres, programs
from serving import Chat, Gateway, binary, until
from standby import gateway, text_of
from streams import Stream
from webhook_receiver import Hook, Receiver

#: By how much the head goes on beyond all that may have been given out.
LEAP = 1 << 32


class Restored:
    """A gateway that loses a message, and those who have been told of it."""

    def __init__(self, made, receiver):
        self.made, self.receiver = made, receiver
        self.hook = Hook(made, receiver, types=["message.created"])
        self.chat = Chat(made)
        self.thread = self.chat.thread()
        self.kept = self.say("kept")

    def say(self, text):
        """Sends, and returns the place of the message's event when the webhook has it too."""
        with Stream(self.made, f"{self.chat.path}/events", self.chat.token) as stream:
            stream.ready()
            self.chat.say(self.thread, text)
            stream.collect(lambda event: event.name == "message.created" and text_of(event) == text)
            last = stream.last_id
        until("the webhook to have it", lambda: self.told(text))
        return last

    def told(self, text):
        return self.receiver.got(lambda each: each.type == "message.created" and each.data["message"]["text"] == text)

    def begin(self, last_id):
        """The first event of a stream that goes on from there."""
        with Stream(self.made, f"{self.chat.path}/events", self.chat.token, last_id=last_id) as stream:
            return stream.collect(lambda event: event.name in ("reset", "message.created"))[-1]

    def check(self, lost):
        """What was lost is void, and what comes now is new to everybody."""
        new = self.say("new")
        assert offset(new) > max(offset(lost), LEAP)
        assert self.begin(lost).name == "reset", (lost, new)
        assert text_of(self.begin(self.kept)) == "new"
        assert [message["text"] for message in self.chat.history(self.thread)] == ["kept", "new"]
        [reset] = until("the webhook to be told", lambda: self.receiver.got(lambda each: each.type == "reset"))
        assert offset(reset.data["from"]) <= offset(self.kept) and offset(reset.data["to"]) < offset(new)
        known = {}
        for each in self.receiver.got():
            assert known.setdefault(each.id, each.data) == each.data, f"{each.id} stands for two events"
        # It is seen once.
        self.made.stop()
        self.made.start()
        assert offset(self.say("newer")) < offset(new) + 100
        assert text_of(self.begin(new)) == "newer"


def offset(cursor):
    return int(cursor.rpartition("-")[2])


@pytest.fixture
def receiver():
    with Receiver() as made:
        yield made


@pytest.fixture
def lite(receiver, tmp_path):
    with Gateway(tmp_path) as made:
        yield Restored(made, receiver)


def rewrite(source, target):
    """Puts a file back as `cp` does: the file of before gets other bytes."""
    target.write_bytes(source.read_bytes())


@sqlite_only("it puts files of SQLite back")
@pytest.mark.parametrize("how", ["folder", "file", "the file's bytes", "a new folder"])
def test_a_copy_of_a_folder_is_put_back(lite, tmp_path, how):
    made, copy = lite.made, tmp_path / "copy"
    made.stop()
    shutil.copytree(made.folder, copy)
    made.start()
    lost = lite.say("lost")
    made.stop()
    database = made.folder / "parley.sqlite"
    match how:
        case "folder":
            shutil.rmtree(made.folder)
            shutil.copytree(copy, made.folder)
        case "file":
            database.unlink()
            shutil.copy(copy / "parley.sqlite", database)
        case "the file's bytes":
            rewrite(copy / "parley.sqlite", database)
        case "a new folder":
            shutil.rmtree(made.folder)
            made.folder.mkdir(mode=0o700)
            for name in ("parley.sqlite", "key", "token"):
                shutil.copy(copy / name, made.folder / name)
    made.start()
    lite.check(lost)


@sqlite_only("it kills a gateway on SQLite")
def test_a_kill_is_no_restore(lite):
    before = lite.say("before")
    lite.made.kill()
    lite.made.start()
    assert offset(lite.say("after")) < offset(before) + 100
    assert text_of(lite.begin(before)) == "after"
    assert not lite.receiver.got(lambda each: each.type == "reset")


def store(*arguments):
    own = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    return subprocess.run(
        [binary(), "store", *map(str, arguments)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=own)


@sqlite_only("it puts files of SQLite back")
def test_what_nobody_can_see_is_said_by_a_command(lite):
    """As of a snapshot of the whole disk: nothing in the folder is newer than the database."""
    made = lite.made
    assert store("restored", "--data", made.folder).returncode == 69, "a gateway runs"
    made.stop()
    assert store("restored", "--data", made.folder).returncode == 0
    made.start()
    assert offset(lite.say("new")) > LEAP
    until("the webhook to be told", lambda: lite.receiver.got(lambda each: each.type == "reset"))


# -- in PostgreSQL

@pytest.fixture
def server():
    made = Server()
    yield made
    made.close()


@pytest.fixture
def remote(server, receiver):
    with gateway(server, "one") as made:
        yield Restored(made, receiver)


def run(program, *arguments):
    subprocess.run([f"{programs()}/{program}", *arguments], check=True, timeout=60, capture_output=True)


@needs_postgres
@pytest.mark.parametrize("how", ["tables", "database"])
def test_a_dump_is_put_back_into_the_same_cluster(server, remote, tmp_path, how):
    dump = tmp_path / "dump"
    run("pg_dump", "--format=custom", f"--file={dump}", server.address)
    lost = remote.say("lost")
    remote.made.stop()
    # The folder knows nothing: this may be the other gateway's.
    (remote.made.folder / "head").unlink()
    if how == "tables":
        run("pg_restore", "--clean", f"--dbname={server.address}", str(dump))
    else:
        server.ask("CREATE DATABASE again")
        address = server.address.replace("/postgres?", "/again?")
        run("pg_restore", f"--dbname={address}", str(dump))
        remote.made.arguments[remote.made.arguments.index(server.address)] = address
    remote.made.start()
    remote.check(lost)


def put_server_back(server, copy, body):
    """Runs the body, and then gives the server the files that it had before."""
    server.stop("fast")
    shutil.copytree(f"{server._folder}/data", copy)
    server.start()
    lost = body()
    server.stop("fast")
    subprocess.run(["cp", "-a", f"{copy}/.", f"{server._folder}/data/"], check=True)
    subprocess.run(["chown", "-R", "postgres", f"{server._folder}/data"], check=True)
    server.start()
    return lost


@needs_postgres
@pytest.mark.parametrize("how", ["seen by the folder", "said by a command"])
def test_the_files_of_a_server_are_put_back(server, remote, tmp_path, how):
    """As of a snapshot: neither the cluster nor the timeline nor a table is another one."""
    made = remote.made
    made.stop()

    def lose():
        made.start()
        lost = remote.say("lost")
        made.stop()
        return lost

    lost = put_server_back(server, tmp_path / "copy", lose)
    if how == "said by a command":
        (made.folder / "head").unlink()
        done = store("restored", "--store", server.address)
        assert done.returncode == 0, done
    made.start()
    remote.check(lost)
