"""A store moves from SQLite to PostgreSQL and back: clients go on with the cursors that they have."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import time

import pytest
from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, Gateway, binary, until
from streams import Stream

pytestmark = needs_postgres

#: What `store check` and `store copy` end with: done, faults were found, a store cannot be used.
DONE, FAULTS, UNUSABLE = 0, 1, 69


def store(*arguments):
    own = {name: value for name, value in os.environ.items() if not name.startswith("PARLEY_")}
    return subprocess.run(
        [binary(), "store", *map(str, arguments)], capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL, env=own)


def done(*arguments):
    """A command that must succeed."""
    result = store(*arguments)
    assert result.returncode == DONE, result
    return result


def on_sqlite(like=None, *more):
    return like_before(Gateway(arguments=["--store", "sqlite", *more]), like)


def on_postgres(server, like, *more):
    return like_before(Gateway(arguments=["--store", server.address, "--gateway-name", "one", *more]), like)


def like_before(made, like):
    """Another one's key and token make its sessions' tokens valid here."""
    if like:
        made.folder.mkdir(parents=True, mode=0o700)
        for secret in ["key", "token"]:
            shutil.copy(like.folder / secret, made.folder / secret)
    return made


def on(made, chat):
    """The same session, asked for at another gateway."""
    moved = object.__new__(Chat)
    moved.__dict__.update(chat.__dict__, gateway=made)
    return moved


def text_of(event):
    """The text of a message.created."""
    return event.json.get("data", event.json)["message"]["text"]


def created(events):
    return [text_of(event) for event in events if event.name == "message.created"]


class Filled:
    """What a gateway has, and how it is found again on another one."""

    def __init__(self, gateway):
        self.chat = Chat(gateway)
        self.thread = self.chat.thread()
        self.files = {}

    def fill(self, gateway):
        for number in range(3):
            other = Chat(gateway, firstName=f"Änn {number} \U0001f600")
            other.say(other.thread(), "wörd")
        hook = gateway.post("/v1/webhooks", {"url": "http://127.0.0.1:9/hook"})
        assert hook.status == 201, hook
        # More than one piece, exactly one, and nothing but a byte.
        for size in [(256 << 10) * 2 + 5, 256 << 10, 1]:
            data = os.urandom(size)
            answer = gateway.call(
                "POST", f"{self.chat.path}/attachments", token=self.chat.token, raw=data,
                headers={"Content-Type": "image/png", "Content-Disposition": 'attachment; filename="a.png"'})
            assert answer.status == 201, answer
            self.files[answer["id"]] = data
            self.chat.say(self.thread, f"file {size}", attachments=[{"id": answer["id"]}])
        for number in range(30):
            self.chat.say(self.thread, f"before {number}")
        at_desk = gateway.post(f"/v1/desk/threads/{self.thread}/messages", {"text": "from the desk"})
        assert at_desk.status == 201, at_desk

    def state(self, gateway):
        """All that clients and the desk see."""
        chat = on(gateway, self.chat)
        files = {id: gateway.get(f"{chat.path}/attachments/{id}", token=chat.token).body for id in self.files}
        assert files == self.files
        lists = {path: gateway.get(path).json["items"] for path in ["/v1/desk/threads", "/v1/sessions", "/v1/webhooks"]}
        for session in lists["/v1/sessions"]:
            # It was just used.
            session.pop("lastUsedAt", None)
        for hook in lists["/v1/webhooks"]:
            # It is tried again and again, in vain.
            for name in set(hook) - {"id", "url"}:
                del hook[name]
        return [chat.history(self.thread), lists]


def read_until(gateway, chat, text, last_id=None):
    """The events of a stream up to the message with this text."""
    with Stream(gateway, f"{chat.path}/events", chat.token, **({"last_id": last_id} if last_id else {})) as stream:
        return stream.collect(lambda event: event.name == "message.created" and text_of(event) == text)


def compare_resumed(gateway, chat, last, expected):
    """The stream goes on after `last` with exactly these messages, and needs no reset."""
    events = read_until(gateway, chat, expected[-1], last.id)
    assert [event.name for event in events if event.name == "reset"] == []
    assert created(events) == expected
    offsets = [event.offset for event in events if event.offset]
    assert offsets == sorted(set(offsets)) and offsets[0] > last.offset
    return events


def test_a_store_moves_to_postgres_and_back(postgres):  # noqa: F811
    with on_sqlite() as lite:
        filled = Filled(lite)
        with Stream(lite, f"{filled.chat.path}/events", filled.chat.token) as stream:
            stream.ready()
            filled.fill(lite)
            seen = stream.collect(lambda event: event.name == "message.created" and text_of(event) == "before 9")
        last = seen[-1]
        before = filled.state(lite)
        assert done("check", "--data", lite.folder).stdout == ""
        busy = store("copy", "--from", lite.folder, "--to", postgres.address)
        assert busy.returncode == UNUSABLE and "Another gateway is running" in busy.stderr
        assert lite.stop() == 0
        (lite.folder / "cxone").mkdir(mode=0o700, exist_ok=True)
        (lite.folder / "cxone" / "1.json").write_text("a platform's token")

        told = done("copy", "--from", lite.folder, "--to", postgres.address)
        assert "are the same in both stores" in told.stderr and told.stdout == ""
        assert postgres.ask("SELECT name, position('token'::bytea IN bytes) FROM sealed") == [["cxone/1", "0"]]
        again = store("copy", "--from", lite.folder, "--to", postgres.address)
        assert again.returncode == UNUSABLE and "is not empty" in again.stderr

        heavy = on_postgres(postgres, like=lite)
        with heavy:
            chat = on(heavy, filled.chat)
            rest = [f"before {number}" for number in range(10, 30)] + ["from the desk"]
            compare_resumed(heavy, chat, last, rest)
            assert filled.state(heavy) == before
            chat.say(filled.thread, "on the server")
            compare_resumed(heavy, chat, last, [*rest, "on the server"])
            assert done("check", "--store", postgres.address).stdout == ""
            busy = store("copy", "--from", postgres.address, "--to", heavy.folder)
            assert busy.returncode == UNUSABLE and "used by a gateway" in busy.stderr
            before = filled.state(heavy)
            assert heavy.stop() == 0

            back = on_sqlite(like=lite)
            done("copy", "--from", postgres.address, "--to", back.folder)
            assert (back.folder / "cxone" / "1.json").read_text() == "a platform's token"
            assert done("check", "--data", back.folder).stdout == ""
            with back:
                compare_resumed(back, chat, last, [*rest, "on the server"])
                assert filled.state(back) == before
                on(back, chat).say(filled.thread, "at home")
                compare_resumed(back, chat, last, [*rest, "on the server", "at home"])


class Back:
    """A back end that was made for Sendbird's Platform API."""

    def __init__(self, gateway):
        self.gateway = gateway
        self.token = gateway.get("/v1/info").json["sendbirdSandbox"]["apiToken"]

    def ask(self, method, path, body=None):
        answer = self.gateway.call(method, f"/v3{path}", body, headers={"Api-Token": self.token})
        assert answer.status == 200, (path, answer)
        # Lists tell the time.
        return {name: value for name, value in answer.json.items() if name != "ts"}

    def fill(self):
        for name in ["ada", "bob", "cy"]:
            self.ask("POST", "/users", {"user_id": name, "nickname": name, "metadata": {"of": name}})
        self.ask("POST", "/bots", {"bot_userid": "bot", "bot_nickname": "B", "bot_callback_url": "http://127.0.0.1:9/bot"})
        self.ask("PUT", "/applications/settings/webhook", {"enabled": True, "url": "http://127.0.0.1:9/hook"})
        for url in ["one_1", "two_2"]:
            channel = f"/group_channels/{url}"
            self.ask("POST", "/group_channels", {"user_ids": ["ada", "bob", "cy"], "channel_url": url, "data": "d"})
            self.ask("POST", f"{channel}/metadata", {"metadata": {"topic": "\u00e4"}})
            text = {"message_type": "MESG", "user_id": "ada", "message": "parent", "mentioned_user_ids": ["bob"],
                    "sorted_metaarray": [{"key": "k", "value": ["v"]}], "dedup_id": "1"}
            parent = self.ask("POST", f"{channel}/messages", text)["message_id"]
            self.ask("POST", f"{channel}/messages", {"message_type": "MESG", "user_id": "bob", "message": "x", "parent_message_id": parent})
            gone = self.ask("POST", f"{channel}/messages", {"message_type": "MESG", "user_id": "cy", "message": "gone"})["message_id"]
            self.ask("DELETE", f"{channel}/messages/{gone}")
            self.ask("PUT", f"{channel}/messages/mark_as_read", {"user_id": "bob"})
            self.ask("PUT", f"{channel}/hide", {"user_id": "cy", "allow_auto_unhide": False})
            self.ask("POST", f"{channel}/operators", {"operator_ids": ["ada"]})
        self.ask("PUT", "/group_channels/two_2/freeze", {"freeze": True})

    def state(self):
        """All that a program sees."""
        paths = ["/users?limit=100", "/bots", "/applications/settings/webhook",
                 "/group_channels?show_empty=true&show_member=true&show_read_receipt=true&show_metadata=true"]
        paths += [f"/users/{user}/{list}" for user in ["ada", "bob", "cy"]
                  for list in ["my_group_channels?hidden_mode=all&show_empty=true", "unread_message_count", "metadata"]]
        paths += [f"/group_channels/{url}/{list}" for url in ["one_1", "two_2"] for list in [
            "messages?message_ts=0&include_reply_type=ALL&include_thread_info=true&including_removed=true", "operators", "metadata",
            "messages/unread_count", "messages/total_count"]]
        return {path: self.ask("GET", path) for path in paths}


def test_what_programs_made_in_sendbirds_sandbox_moves_too(postgres):  # noqa: F811
    """After a crash, too."""
    sandbox = "--sendbird-sandbox"
    with on_sqlite(None, sandbox) as lite:
        back = Back(lite)
        back.fill()
        before = back.state()
        lite.kill()
        lite.start()
        assert Back(lite).token == back.token and Back(lite).state() == before
        assert lite.stop() == 0
        done("copy", "--from", lite.folder, "--to", postgres.address)
        with on_postgres(postgres, lite, sandbox) as heavy:
            assert Back(heavy).token == back.token and Back(heavy).state() == before
            again = {"message_type": "MESG", "user_id": "ada", "message": "parent", "dedup_id": "1"}
            Back(heavy).ask("POST", "/group_channels/one_1/messages", again)
            assert Back(heavy).state()["/group_channels/one_1/messages/total_count"] == {"total": 2}
            assert done("check", "--store", postgres.address).stdout == ""


def add_receipts(gateway, count):
    """So many that copying them takes its time. No rule connects them with other rows."""
    with contextlib.closing(sqlite3.connect(gateway.folder / "parley.sqlite")) as database, database:
        database.execute(
            """
            INSERT INTO receipt (scope, fingerprint, kind, id, body, at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            SELECT 'scope ' || i, 'f', 'created', 'id', zeroblob(200), ? FROM n
            """, [count, int(time.time() * 1000)])


@pytest.mark.parametrize("goes_back", [False, True], ids=["to-postgres", "to-sqlite"])
def test_a_copy_that_is_killed_leaves_nothing(postgres, goes_back):  # noqa: F811
    with on_sqlite() as lite, contextlib.closing(on_sqlite()) as target:
        Filled(lite).fill(lite)
        assert lite.stop() == 0
        add_receipts(lite, 200_000)
        way = ["--from", lite.folder, "--to", postgres.address]
        if goes_back:
            done("copy", *way)
            like_before(target, lite)
            way = ["--from", postgres.address, "--to", target.folder]
        copy = subprocess.Popen(
            [binary(), "store", "copy", *map(str, way)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        with copy:
            for line in copy.stderr:
                # The receipts are still to come.
                if "message: " in line:
                    copy.kill()
        assert copy.returncode == -signal.SIGKILL
        if goes_back:
            assert not (target.folder / "parley.sqlite").exists()
        else:
            # As soon as the server has noticed that its client is gone.
            until("the rows to be gone", lambda: postgres.ask("SELECT count(*) FROM pg_stat_activity WHERE "
                                                              "application_name LIKE 'parley%'") == [["0"]])
            assert postgres.ask("SELECT count(*) FROM message") == [["0"]]
        done("copy", *way)
