"""What README and the articles of the guide show is run as it stands there."""

import os
import pathlib
import re
import signal
import subprocess

import pytest
from gateway import DEADLINE, Gateway, binary, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Sources/parley/Parley.docc"
ARTICLES = ["Keys", "Channels", "Customers", "DeskCustomers", "Widget", "LiveChats", "Messages", "ReplyThreads", "Files", "Search", "Collections", "TestYourApp"]


def commands(path):
    """The shell's blocks of a page, without those that need no gateway."""
    blocks = re.findall(r"```sh\n(.*?)```", path.read_text(), re.S)
    return "\n".join(block for block in blocks if "curl -s" in block)


def blocks(path):
    """All blocks of a page, as (language, text)."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", path.read_text(), re.S | re.M)


# Blocks of README that no test runs, by what they begin with: why.
NOT_RUN = {
    "   curl   bots": "it is a drawing",
    "Tests/run\n": "it is what runs this test",
}


# Who pastes a block has one of these. `e` and `u` end it at the first mistake.
SHELLS = ["bash", "zsh", "dash"]


def runner(home, shell="bash"):
    """Runs commands as somebody does who has just started a gateway: in the usual data folder, with `parley` on the path."""
    path = f"{os.path.dirname(binary())}:{os.environ['PATH']}"
    environment = {**os.environ, "HOME": str(home), "PATH": path}
    environment.pop("XDG_DATA_HOME", None)

    def run(text):
        done = subprocess.run(
            [shell, "-euc", text], env=environment, cwd=home, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert '"code":' not in done.stdout, done.stdout
        return done.stdout + done.stderr

    return run


@pytest.fixture(scope="module", params=SHELLS)
def shell(request, tmp_path_factory):
    home = tmp_path_factory.mktemp("home")
    (home / ".local/share").mkdir(parents=True)
    with Gateway() as gateway:
        (home / ".local/share/parley").symlink_to(gateway.folder)
        yield runner(home, request.param)


def script(folder, name, text):
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


@pytest.fixture
def newcomer(tmp_path):
    """Where README's first command runs: nothing is installed or built there, and the port is any free one."""
    tools = tmp_path / "tools"
    tools.mkdir()
    script(tools, "sudo", 'exec "$@"')
    script(tools, "apt-get", f'echo "$@" >> {tmp_path}/installed')
    # `swift run [options] parley [arguments]`, with a binary that is there already.
    script(tools, "swift", f'echo "$@" > {tmp_path}/built; while [ "$1" != parley ]; do shift; done; shift; exec {binary()} "$@"')
    environment = {**os.environ, "HOME": str(tmp_path), "PATH": f"{tools}:{os.environ['PATH']}", "PARLEY_LISTEN": "127.0.0.1:0"}
    environment.pop("XDG_DATA_HOME", None)
    return tmp_path, environment


@pytest.mark.parametrize("shell", SHELLS)
def test_readme_from_its_first_line(newcomer, shell):
    home, environment = newcomer
    told, started = "", None
    try:
        for language, text in blocks(ROOT / "README.md"):
            if any(text.startswith(beginning) for beginning in NOT_RUN):
                continue
            assert language == "sh", f"say in NOT_RUN why nobody runs this: {text[:60]}"
            if "swift run" in text:
                with open(home / "printed", "wb") as printed:
                    started = subprocess.Popen(
                        [shell, "-euc", text], env=environment, cwd=home, stdout=printed, stderr=printed, start_new_session=True)
                until("the gateway's address", lambda: "page " in (home / "printed").read_text(), DEADLINE)
                # What it offers for later works as well, for whoever pastes it.
                again = re.search(r"page .*\((?:once.*then: )?(.*)\)", (home / "printed").read_text())[1]
                assert runner(home, shell)(f"curl -so /dev/null -w '%{{http_code}}' $({again} --print)") == "200"
            else:
                told += runner(home, shell)(text)
    finally:
        if started:
            os.killpg(started.pid, signal.SIGTERM)
            assert started.wait(DEADLINE) in (0, -signal.SIGTERM)
    assert (home / "built").read_text() == "run -debug-info-format none --disable-index-store --disable-default-traits parley --demo\n"
    assert "libmicrohttpd-dev" in (home / "installed").read_text()
    # The stream begins with the session, and goes on with what comes after its last event.
    assert told.count("event: message.created") == 4, told
    assert '"type":"listPicker"' in told and told.count('"text":"It comes tomorrow."') >= 2


@pytest.mark.parametrize("path", [ROOT / "README.md", *sorted(GUIDE.glob("*.md"))], ids=lambda path: path.stem)
def test_a_comment_can_be_pasted_into_any_shell(path):
    """A zsh that somebody types into takes `#` for a word like any other: a quote in a comment begins a text there that
    has no end, and what stands in backticks is run."""
    comments = re.findall(r"(?:^|\s)#\s.*", "\n".join(text for language, text in blocks(path) if language == "sh"), re.M)
    assert [comment for comment in comments if set("'`\"") & set(comment)] == []


def test_the_chat_of_the_first_article(shell):
    told = shell(commands(GUIDE / "GettingStarted.md"))
    assert told.count("event: message.created") == 2 and '"status":"seen"' in told


@pytest.mark.parametrize("article", ARTICLES)
def test_an_article(shell, article):
    text = commands(GUIDE / f"{article}.md")
    assert text
    told = shell(commands(GUIDE / "GettingStarted.md").replace("sleep 1;", "") + text)
    assert '"id":' in told
