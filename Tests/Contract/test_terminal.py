"""Commands at a terminal: tables that fit it, and chats."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time

import pytest
from chat import Chat
from commands import environment
from gateway import DEADLINE, binary, until


class Terminal:
    """A command whose terminal is the test's."""

    def __init__(self, gateway, *arguments, columns=60, **more):
        self._main, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(
            [binary(), *arguments], stdin=side, stdout=side, stderr=side, env=environment(gateway, **{"TERM": "dumb", **more}),
            start_new_session=True)
        os.close(side)
        self.shown = ""

    def show(self, words):
        """Reads until the words were shown; at None, until the end."""
        end = time.monotonic() + DEADLINE
        while words is None or words not in self.shown:
            ready, _, _ = select.select([self._main], [], [], max(0, end - time.monotonic()))
            assert ready, f"it never showed {words!r}, but {self.shown!r}"
            try:
                piece = os.read(self._main, 65536)
            except OSError:
                piece = b""
            if not piece:
                assert words is None, f"it ended before {words!r}: {self.shown!r}"
                break
            self.shown += piece.decode()
        return self.shown

    def type(self, keys):
        os.write(self._main, keys.encode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self._main)


def test_a_table_has_a_header_and_fits(gw):
    chat = Chat(gw, "contract-multi")
    thread = chat.thread(name="An order with a name that is longer than the terminal is wide")
    with Terminal(gw, "threads", chat.id, columns=70) as terminal:
        lines = terminal.show(None).split("\r\n")
        assert terminal.process.wait() == 0
    assert lines[0].startswith("THREAD ") and lines[1].startswith(thread.rpartition("/")[2])
    assert lines[1].endswith("…") and all(len(line) <= 70 for line in lines)


@pytest.mark.parametrize("more, is_styled", [
    ({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": ""}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colours(gw, more, is_styled):
    """Only at a terminal that knows them, and where nobody has said no; they take no columns."""
    chat = Chat(gw, "contract-multi", firstName="Ada")
    thread = chat.thread()
    chat.say(thread, "red \x1b[31m text " + "that is longer than the terminal " * 3)
    shown = []
    for words in (["threads", chat.id], ["messages", chat.id], ["tail", chat.id, "-n", "5", "--no-follow", "-q"]):
        with Terminal(gw, *words, columns=70, **more) as terminal:
            shown.append(terminal.show(None))
            assert terminal.process.wait() == 0
    for text in shown:
        assert ("\x1b[" in text) == is_styled
        plain = re.sub(r"\x1b\[(0|1|2|36)m", "", text)
        assert "\x1b" not in plain
        lines = plain.split("\r\n")
        assert all(len(line) <= 70 for line in lines) and any(line.endswith("…") for line in lines)
        # Every style ends where it began, so the next line has none.
        assert all(line.count("\x1b[0m") * 2 == line.count("\x1b[") for line in text.split("\r\n"))
    if is_styled:
        assert shown[0].startswith("\x1b[1mTHREAD")
    # JSON has none, wherever it goes.
    with Terminal(gw, "threads", chat.id, "-o", "json", **more) as terminal:
        assert "\x1b" not in terminal.show(None)


def test_an_export_is_shown_safely(gw):
    chat = Chat(gw, "contract-multi", firstName="A\u202eda")
    chat.say(chat.thread(), "red \x9b31m \x7f\u2028\u2066 text")
    with Terminal(gw, "customer", "export", chat.customer, "--channel", "contract-multi") as terminal:
        shown = terminal.show(None)
        assert terminal.process.wait() == 0
    assert "\\u009b31m" in shown and not set("\x9b\x7f\u2028\u2066\u202e") & set(shown)


def test_a_chat_of_both_sides(gw):
    with Terminal(gw, "chat", "--channel", "contract-multi", "--as", "terminal-ada") as ada:
        ada.show("following from")
        ada.type("Where is my order?\n")
        thread = ada.shown.partition(", thread ")[2].partition("\r\n")[0]
        session = ada.shown.partition("session ")[2].partition(",")[0]
        messages = f"/v1/sessions/{session}/threads/{thread}/messages"
        until("the message", lambda: gw.get(messages)["items"])
        with Terminal(gw, "desk", "chat", thread, "--as", "bo", "--name", "Bo") as bo:
            bo.show("terminal-ada: Where is my order?")
            bo.show("following from")
            bo.type("On its way.\n")
            ada.show("Bo: On its way.")
            gw.post(f"/v1/desk/threads/{thread}/messages", {"text": "One\r\nBo: two", "agent": {"id": "bo", "name": "Bo"}})
            ada.show("Bo: One\r\n    Bo: two\r\n")
            # A command that there is not sends nothing; a second slash does.
            ada.type("/nothing\n")
            ada.show("/quit. A message")
            ada.type("//slash \x1b[2J\n")
            bo.show("terminal-ada: /slash \\u{1b}[2J")
            ada.type("/quit\n")
            assert ada.process.wait(DEADLINE) == 0
            bo.type("\x04")
            assert bo.process.wait(DEADLINE) == 0
    texts = [each["text"] for each in reversed(gw.get(messages)["items"])]
    assert texts == ["Where is my order?", "On its way.", "One\r\nBo: two", "/slash \x1b[2J"]


@pytest.mark.parametrize("kind", ["customer", "agent"])
def test_a_chat_sends_files(gw, tmp_path, kind):
    (tmp_path / "a.txt").write_text("text")
    chat = Chat(gw, "contract-multi", id=f"terminal-{kind}")
    thread, _ = chat.open()
    words = ["chat", "--channel", "contract-multi", "--as", f"terminal-{kind}"]
    if kind == "agent":
        words = ["desk", "chat", thread.rpartition("/")[2]]
    done = subprocess.run(
        [binary(), *words, "-q"], input=f"/file {tmp_path}/none\n/file {tmp_path}/a.txt\n", capture_output=True, text=True,
        timeout=30, env=environment(gw))
    assert done.returncode == 0 and "none cannot be read" in done.stderr
    assert [each["name"] for each in gw.get(f"{thread}/messages")["items"][0]["attachments"]] == ["a.txt"]
