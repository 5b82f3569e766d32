"""Checking and copying a store: what is said, and with which exit status."""

import sqlite3

import pytest
from chat import Chat
from commands import parley
from gateway import Gateway


@pytest.fixture(scope="module")
def used():
    """The folder of a gateway that has a thread with a message and a file."""
    with Gateway() as gateway:
        chat = Chat(gateway, "multi", firstName="Ann")
        thread, at_desk = chat.open(name="Order")
        file = chat.upload(b"bytes")
        chat.say(thread, "secret words", attachments=[{"id": file["id"]}])
        gateway.post(f"{at_desk}/messages", {"text": "Yes?"})
        yield gateway, file["id"]


def test_a_store_in_use_keeps_its_rules(used):
    gateway, _ = used
    done = parley(gateway, "store", "check", str(gateway.folder))
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.endswith("The store keeps all its rules.\n")
    assert parley(gateway, "store", "check", "-q", str(gateway.folder)).stderr == ""


def test_each_fault_is_a_line_without_texts(used, tmp_path):
    gateway, file = used
    copy = tmp_path / "copy"
    (copy / "files").mkdir(parents=True)
    with sqlite3.connect(gateway.folder / "parley.sqlite") as source, sqlite3.connect(copy / "parley.sqlite") as target:
        source.backup(target)
        target.execute("UPDATE member SET unread = 9")
    done = parley(gateway, "store", "check", "-q", str(copy))
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert any(line.startswith("members: ") and "unread is 9" in line for line in lines), lines
    assert f"attachments: attachment {file}: its file is missing" in lines
    assert "secret" not in done.stdout


def test_what_is_no_store_is_refused_and_stays_as_it_is(used, tmp_path):
    gateway, _ = used
    done = parley(gateway, "store", "check", str(tmp_path))
    assert (done.returncode, done.stdout) == (69, "") and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "parley.sqlite").write_bytes(b"no database at all")
    done = parley(gateway, "store", "check", str(tmp_path))
    assert (done.returncode, done.stdout) == (69, "") and done.stderr.count("\n") == 1
    assert parley(gateway, "store", "check").returncode == 64


def test_a_server_that_is_away_is_told(used):
    gateway, _ = used
    done = parley(gateway, "store", "check", "postgres:///parley?host=/nonexistent")
    assert (done.returncode, done.stdout) == (69, "") and done.stderr.count("\n") == 1


def test_a_copy_needs_one_store_of_each_engine(used, tmp_path):
    gateway, _ = used
    done = parley(gateway, "store", "copy", "--from", str(gateway.folder), "--to", str(tmp_path))
    assert (done.returncode, done.stdout) == (64, "") and done.stderr.count("\n") == 1


def test_a_store_in_use_is_not_copied(used):
    gateway, _ = used
    done = parley(gateway, "store", "copy", "--from", str(gateway.folder), "--to", "postgres:///parley?host=/nonexistent")
    assert (done.returncode, done.stdout) == (69, "") and "Another gateway is running" in done.stderr
