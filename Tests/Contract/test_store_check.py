"""Checking and copying a store: what is said, and with which exit status."""

import contextlib
import os
import sqlite3

import pytest
from chat import Chat
from commands import parley
from database import IS_POSTGRES
from gateway import Gateway

pytestmark = pytest.mark.skipif(IS_POSTGRES, reason="it sets SQLite's file; Tests/Faults/test_store_copy.py has both")

#: What the commands end with.
FAULTS, WRONG, UNUSABLE = 1, 64, 69


@pytest.fixture(scope="module")
def used():
    """A gateway that has a thread with a message and a file."""
    with Gateway() as gateway:
        chat = Chat(gateway, "multi", firstName="Ann")
        thread, at_desk = chat.open(name="Order")
        file = chat.upload(b"bytes")
        chat.say(thread, "secret words", attachments=[{"id": file["id"]}])
        gateway.post(f"{at_desk}/messages", {"text": "Yes?"})
        yield gateway, file["id"]


def test_a_store_in_use_keeps_its_rules(used):
    gateway, _ = used
    done = parley(gateway, "store", "check")
    assert (done.returncode, done.stdout) == (0, "")
    lines = done.stderr.splitlines()
    assert lines[-1] == "parley: The store keeps all its rules." and "parley: checked files, 1 looked at" in lines
    quiet = parley(None, "store", "check", "-q", "--data", str(gateway.folder))
    assert (quiet.returncode, quiet.stdout, quiet.stderr) == (0, "", "")


def test_each_fault_is_a_line_without_texts(used, tmp_path):
    gateway, file = used
    copy = tmp_path / "copy"
    (copy / "files").mkdir(parents=True)
    with contextlib.closing(sqlite3.connect(gateway.folder / "parley.sqlite")) as source, \
            contextlib.closing(sqlite3.connect(copy / "parley.sqlite")) as target:
        source.backup(target)
        target.execute("UPDATE member SET unread = 9")
        target.commit()
    before = {path.name: path.read_bytes() for path in copy.iterdir() if path.is_file()}
    done = parley(None, "store", "check", "-q", "--data", str(copy))
    assert (done.returncode, done.stderr) == (FAULTS, "")
    lines = done.stdout.splitlines()
    assert any(line.startswith("members: ") and "unread is 9" in line for line in lines), lines
    assert f"files: attachment {file}: its file is missing" in lines
    assert "secret" not in done.stdout
    assert {name: (copy / name).read_bytes() for name in before} == before
    # What is there and no regular file is not waited for.
    os.mkfifo(copy / "files" / file)
    again = parley(None, "store", "check", "-q", "--data", str(copy))
    assert f"files: attachment {file}: its file cannot be read" in again.stdout.splitlines()
    # Nothing that SQLite needs while it reads is in the way of the next gateway.
    assert all(not path.stat().st_size for path in copy.glob("*-wal"))


def test_what_is_no_store_is_refused_and_stays_as_it_is(used, tmp_path):
    done = parley(None, "store", "check", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (UNUSABLE, "") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    file = tmp_path / "parley.sqlite"
    file.write_bytes(b"no database at all")
    done = parley(None, "store", "check", "--data", str(tmp_path))
    assert (done.returncode, done.stdout) == (UNUSABLE, "") and done.stderr.count("\n") == 1
    file.unlink()
    with contextlib.closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE meta (x)")
    before = file.read_bytes()
    for words in [["store", "check"], ["serve", "--listen", "127.0.0.1:0"]]:
        done = parley(None, *words, "--data", str(tmp_path))
        assert done.returncode != 0 and "another program has written it" in done.stderr
    assert file.read_bytes() == before


def test_a_server_that_is_away_is_told():
    done = parley(None, "store", "check", "--store", "postgres:///parley?host=/nonexistent")
    assert (done.returncode, done.stdout) == (UNUSABLE, "") and done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [
    ["check", "--store", "mysql://host/name"], ["check", "--store", "postgres://user:secret@host/name"],
    ["copy", "--from", "one", "--to", "two"], ["copy", "--from", "postgres:///a", "--to", "postgres:///b"],
    ["copy", "--from", "one", "--to", "postgres://user:secret@host/name"],
])
def test_what_makes_no_sense_is_refused(words):
    done = parley(None, "store", *words)
    assert (done.returncode, done.stdout) == (WRONG, "") and "secret" not in done.stderr, done


def test_a_store_in_use_is_not_copied(used):
    gateway, _ = used
    done = parley(None, "store", "copy", "--from", str(gateway.folder), "--to", "postgres:///parley?host=/nonexistent")
    assert (done.returncode, done.stdout) == (UNUSABLE, "") and "Another gateway is running" in done.stderr


# -- a backup while the gateway runs

def test_a_backup_is_a_data_folder_of_its_own(used, tmp_path):
    gateway, file = used
    copy = tmp_path / "data"
    done = parley(gateway, "store", "backup", str(copy))
    assert (done.returncode, done.stdout) == (0, ""), done
    assert "parley: 1 files were copied." in done.stderr and "keeps all its rules" in done.stderr
    assert [path.name for path in copy.rglob("*") if path.stat().st_mode & 0o077] == [], "nobody else may read it"
    threads = gateway.get("/v1/desk/threads")["items"]
    [session] = gateway.get("/v1/sessions")["items"]
    with Gateway(tmp_path) as restored:
        # The tokens that were given out hold, and offsets that came since are not given out again.
        assert restored.token == gateway.token
        assert restored.get("/v1/desk/threads")["items"] == threads
        assert restored.get(f"/v1/sessions/{session['id']}/attachments/{file}").body == b"bytes"
        assert restored.get("/v1/info")["head"] > gateway.get("/v1/info")["head"] + (1 << 32) - 100
    assert gateway.get("/v1/info")["head"] < 1 << 32


def test_a_backup_needs_a_store_and_an_empty_folder(used, tmp_path):
    gateway, _ = used
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").touch()
    refused = parley(gateway, "store", "backup", str(tmp_path / "full"))
    assert (refused.returncode, refused.stdout) == (UNUSABLE, "") and "not empty" in refused.stderr
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter"]
    missing = parley(None, "store", "backup", "--data", str(tmp_path / "none"), str(tmp_path / "copy"))
    assert missing.returncode == UNUSABLE and "none" in missing.stderr
    remote = parley(None, "store", "backup", str(tmp_path / "copy"), PARLEY_STORE="postgres://127.0.0.1:1/none")
    assert remote.returncode == WRONG and "pg_dump" in remote.stderr
