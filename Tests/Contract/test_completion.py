"""What a shell offers for the next word: ids are those that the running gateway has."""

import fcntl
import functools
import os
import pathlib
import pty
import select
import shlex
import shutil
import socket
import subprocess
import termios
import time
import urllib.parse

import pytest
from chat import Chat
from commands import environment
from gateway import DEADLINE, Gateway, binary, until


@functools.cache
def script(shell):
    """What the program writes for this shell, made once: a debug build takes seconds for it."""
    return subprocess.run([binary(), "--generate-completion-script", shell], capture_output=True, text=True, check=True).stdout


def offered(gateway, line, tmp_path, **more):
    """What bash offers behind this line, as the program's own script for bash finds it."""
    (tmp_path / "parley.bash").write_text(script("bash"))
    words = [*shlex.split(line), *([""] if line.endswith(" ") else [])]
    program = f"""
        source {tmp_path}/parley.bash
        COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)} COMP_TYPE=9 COMP_KEY=9
        COMP_WORDS=({" ".join(shlex.quote(word) for word in words)}) COMP_CWORD={len(words) - 1}
        _parley parley {shlex.quote(words[-1])} {shlex.quote(words[-2])}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    own = environment(gateway, PATH=f"{pathlib.Path(binary()).parent}:{os.environ['PATH']}", **more)
    done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, env=own, timeout=DEADLINE)
    assert (done.returncode, done.stderr) == (0, ""), done
    return {line.strip() for line in done.stdout.splitlines() if line.strip()}


@pytest.fixture(scope="module")
def gw():
    """One of its own: the first page of its sessions has them all."""
    with Gateway() as gateway:
        yield gateway


@pytest.fixture(scope="module")
def chat(gw):
    chat = Chat(gw, "multi")
    chat.first, chat.second = (chat.thread(name=name).rpartition("/")[2] for name in ("One", "Two"))
    return chat


def offers(wanted, *arguments, **more):
    """Waits until this is offered. On a busy machine the 200 ms of a completion may be over before the answer is there."""
    until(f"{wanted} are offered", lambda: wanted <= offered(*arguments, **more))


def test_sessions(gw, chat, tmp_path):
    offers({chat.id}, gw, "parley messages ", tmp_path)
    # What was begun is completed, and nothing else offered.
    until("only the session is offered", lambda: offered(gw, f"parley threads {chat.id[:-4]}", tmp_path) == {chat.id})


def test_threads_of_the_session_that_stands_there(gw, chat, tmp_path):
    offers({chat.first, chat.second}, gw, f"parley messages -n 5 {chat.id} ", tmp_path)
    assert chat.first not in offered(gw, f"parley messages {Chat(gw, 'multi').id} ", tmp_path)


def test_threads_of_the_desk_and_channels(gw, chat, tmp_path):
    gw.post(f"/v1/sessions/{chat.id}/threads/{chat.first}/messages", {"text": "Hello"})
    offers({chat.first}, gw, "parley desk read ", tmp_path)
    offers({"multi"}, gw, "parley chat --channel ", tmp_path)


def test_another_gateway_is_asked_where_one_is_named(gw, chat, tmp_path):
    assert offered(gw, "parley messages --data /nowhere ", tmp_path).isdisjoint({chat.id})
    named = f"parley messages --gateway {gw.origin} --token-file {gw.folder}/token "
    offers({chat.id}, None, named, tmp_path, PARLEY_DATA=str(tmp_path))


def test_a_gateway_that_does_not_answer_holds_nobody_up(tmp_path):
    """A command would wait for it for a minute, which is longer than this test waits."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        line = f"parley messages --gateway http://127.0.0.1:{silent.getsockname()[1]} "
        assert not {word for word in offered(None, line, tmp_path, PARLEY_DATA=str(tmp_path)) if len(word) > 20}


# -- ids that customers choose

SAFE = "order-4711.b_C"
# Each would run a program, name a file, become an option or several words, in one shell or another.
HOSTILE = [
    "$(touch ran)", "`touch ran`", "a;touch ran", "|touch ran", "a&&touch ran", "<(touch ran)", "${x:=$(touch ran)}", "!touch",
    "~root", "*", "[a]", "{a,b}", "a b", "a:b", "a'b", 'a"b', "a\\b", "#a", "-rf", "--data=x", "=ls", "a>ran", "^a", "%a",
]


@pytest.fixture(scope="module")
def hostile():
    with Gateway() as gateway:
        session = gateway.post("/v1/sessions", {"channel": "multi"})["id"]
        for id in [*HOSTILE, SAFE]:
            gateway.post(f"/v1/sessions/{session}/threads", {"id": id})
            path = f"/v1/sessions/{session}/threads/{urllib.parse.quote(id, safe='')}/messages"
            assert gateway.post(path, {"text": "Hello"}).status == 201
        yield gateway


class Shell:
    """An interactive shell with the program's completions, in a folder of its own."""

    LINE = "parley desk read "

    def __init__(self, name, gateway, folder):
        (folder / "completions").write_text(script(name))
        self.folder, self.name = folder, name
        # What a file's name completes to would hide what is offered.
        self.work = folder / "work"
        self.work.mkdir()
        (folder / ".zshrc").write_text(f"autoload -U compinit; compinit -u -d {folder}/dump; source {folder}/completions; PS1='ready '\n")
        (folder / "bashrc").write_text(f"source {folder}/completions; PS1='ready '; bind 'set bell-style none'\n")
        self.own = environment(
            gateway, PATH=f"{pathlib.Path(binary()).parent}:{os.environ['PATH']}", ZDOTDIR=str(folder), HOME=str(folder),
            TERM="dumb", XDG_CONFIG_HOME=str(folder), XDG_DATA_HOME=str(folder))

    def offered(self):
        """What the shell shows for the line, as it stands there after the key was pressed."""
        words = {
            "bash": ["bash", "--rcfile", str(self.folder / "bashrc"), "-i"], "zsh": ["zsh", "-i"],
            "fish": ["fish", "-N", "-i", "-C", f"source {self.folder}/completions; function fish_prompt; echo 'ready '; end"],
        }[self.name]
        main, side = pty.openpty()
        process = subprocess.Popen(
            words, stdin=side, stdout=side, stderr=side, env=self.own, cwd=self.work, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(side)
        try:
            self._read(main, "ready ", DEADLINE)
            os.write(main, f"{self.LINE}\t\t".encode())
            return self._read(main, SAFE, 5)
        finally:
            process.kill()
            process.wait()
            os.close(main)

    @staticmethod
    def _read(main, words, seconds):
        shown, end = "", time.monotonic() + seconds
        while words not in shown and select.select([main], [], [], max(0, end - time.monotonic()))[0]:
            try:
                shown += os.read(main, 65536).decode(errors="replace")
            except OSError:
                break
        return shown


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_no_id_is_obeyed(hostile, tmp_path, name):
    """Customers choose ids. Whoever presses the key must get ids alone, and only those that mean themselves."""
    if not shutil.which(name):
        pytest.skip(f"there is no {name}")
    shell = Shell(name, hostile, tmp_path)
    shown = until("an id is offered", lambda: (text := shell.offered()) and (SAFE in text) and text)
    assert list(shell.work.iterdir()) == [] and list(pathlib.Path(".").glob("ran")) == []
    for id in HOSTILE:
        assert id.strip("*^%#[]") == "" or id not in shown, shown
    assert "ran" not in shown and "root" not in shown and "/ls" not in shown
