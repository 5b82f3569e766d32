"""What README and the articles of the guide show is run as it stands there."""

import os
import pathlib
import re
import subprocess

import pytest
from gateway import Gateway, binary

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Sources/parley/Parley.docc"
ARTICLES = ["Channels", "LiveChats", "Messages", "ReplyThreads", "Files", "Search", "Collections"]


def commands(path):
    """The shell's blocks of a page, without those that need no gateway."""
    blocks = re.findall(r"```sh\n(.*?)```", path.read_text(), re.S)
    return "\n".join(block for block in blocks if "curl -s" in block)


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Runs commands as somebody does who has just started a gateway: in the usual data folder, with `parley` on the path."""
    home = tmp_path_factory.mktemp("home")
    (home / ".local/share").mkdir(parents=True)
    with Gateway() as gateway:
        (home / ".local/share/parley").symlink_to(gateway.folder)
        path = f"{os.path.dirname(binary())}:{os.environ['PATH']}"
        environment = {**os.environ, "HOME": str(home), "PATH": path}
        environment.pop("XDG_DATA_HOME", None)

        def run(text):
            done = subprocess.run(
                ["bash", "-euc", text], env=environment, cwd=home, capture_output=True, text=True, timeout=60)
            assert done.returncode == 0, done.stderr
            assert '"code":' not in done.stdout, done.stdout
            return done.stdout

        yield run


def test_the_chat_of_the_readme(shell):
    told = shell(commands(ROOT / "README.md"))
    assert '"text":"Where is my order?"' in told and '"text":"On its way."' in told
    # The stream begins with the session, so it tells both messages.
    assert told.count("event: message.created") == 2


def test_the_chat_of_the_first_article(shell):
    told = shell(commands(GUIDE / "GettingStarted.md"))
    assert told.count("event: message.created") == 2 and '"status":"seen"' in told


@pytest.mark.parametrize("article", ARTICLES)
def test_an_article(shell, article):
    text = commands(GUIDE / f"{article}.md")
    assert text
    told = shell(commands(GUIDE / "GettingStarted.md").replace("sleep 1;", "") + text)
    assert '"id":' in told
