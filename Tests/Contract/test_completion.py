"""What a shell offers for the next word: ids are those that the running gateway has."""

import os
import pathlib
import shlex
import socket
import subprocess

import pytest
from chat import Chat
from commands import environment
from gateway import DEADLINE, Gateway, binary, until


def offered(gateway, line, tmp_path, **more):
    """What bash offers behind this line, as the program's own script for bash finds it."""
    script = subprocess.run([binary(), "--generate-completion-script", "bash"], capture_output=True, text=True, check=True)
    (tmp_path / "parley.bash").write_text(script.stdout)
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
