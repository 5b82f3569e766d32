"""The bots of the article Bots.md, run exactly as they are printed there."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys

import pytest
from chat import Chat
from gateway import DEADLINE, Gateway, binary, until
from test_guide import GUIDE, ROOT, blocks, runner

PAGE = GUIDE / "Bots.md"
PRINTED = {language: text for language, text in blocks(PAGE) if len(text.splitlines()) > 1}
DENO = shutil.which("deno", path=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
FILES = {"js": "bot.mjs", "python": "bot.py", "sh": "bot.sh"}


@pytest.fixture(scope="module")
def at_home(tmp_path_factory):
    """A gateway in the usual folder of somebody, and that home."""
    home = tmp_path_factory.mktemp("home")
    (home / ".local/share").mkdir(parents=True)
    with Gateway() as gateway:
        (home / ".local/share/parley").symlink_to(gateway.folder)
        shutil.copy(ROOT / "web/parley.js", home)
        shutil.copytree(ROOT / "web/parley", home / "parley")
        for language, text in PRINTED.items():
            (home / FILES[language]).write_text(text)
        prepare = "\n".join(text for language, text in blocks(PAGE) if language == "sh" and text not in PRINTED.values())
        runner(home)(prepare)
        assert (home / "parley.py").read_bytes() == (ROOT / "web/parley.py").read_bytes()
        yield gateway, home


def streams(gateway):
    return int(re.search(r"^parley_streams (\d+)", gateway.get("/metrics").text, re.M)[1])


def test_each_has_at_most_ten_lines():
    assert set(PRINTED) == set(FILES)
    assert {language: len(text.strip().splitlines()) for language, text in PRINTED.items() if len(text.strip().splitlines()) > 10} == {}


@pytest.mark.parametrize("command", [
    pytest.param(["node", "bot.mjs"], id="node"),
    pytest.param([DENO, "run", "--allow-net", "--allow-env", "--no-prompt", "bot.mjs"], id="deno",
                 marks=pytest.mark.skipif(not DENO, reason="there is no Deno here")),
    pytest.param([DENO, "run", "--allow-net", "--allow-env", "--allow-import", "--no-prompt", "far.mjs"], id="deno-from-the-gateway",
                 marks=pytest.mark.skipif(not DENO, reason="there is no Deno here")),
    pytest.param([sys.executable, "bot.py"], id="python"),
    pytest.param(["bash", "bot.sh"], id="bash"),
    pytest.param(["sh", "bot.sh"], id="sh"),
])
def test_it_answers_each_message_once(at_home, command):
    gateway, home = at_home
    (home / "far.mjs").write_text(PRINTED["js"].replace("./parley.js", f"{gateway.origin}/parley.js"))
    environment = {**os.environ, "HOME": str(home), "PATH": f"{os.path.dirname(binary())}:{os.environ['PATH']}",
                   "PARLEY_GATEWAY": gateway.origin, "PARLEY_TOKEN": gateway.token, "DENO_DIR": str(home / "deno"),
                   "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("XDG_DATA_HOME", None)
    until("the bot before to be gone", lambda: streams(gateway) == 0)
    with open(home / "printed", "wb") as printed:
        bot = subprocess.Popen(command, env=environment, cwd=home, stdout=printed, stderr=printed, start_new_session=True)
    try:
        until("the bot to listen", lambda: streams(gateway) == 1 or bot.poll() is not None)
        assert bot.poll() is None, (home / "printed").read_text()
        # Two customers may use one id for their threads.
        chats = [Chat(gateway, "multi", firstName=name) for name in ("Ada", "Bo")]
        threads = [chat.thread(id="order") for chat in chats]
        asked = ["Where is it?", 'a "quoted" \\n $text', "Grüße 👋"]
        for text in asked:
            for chat, thread in zip(chats, threads):
                chat.say(thread, text)

        def answers(chat, thread):
            items = gateway.get(f"{thread}/messages", token=chat.token)["items"]
            return [one["text"] for one in items if one["author"]["kind"] == "agent"][::-1]

        for chat, thread in zip(chats, threads):
            try:
                until("the answers", lambda: len(answers(chat, thread)) >= len(asked) or bot.poll() is not None)
            except AssertionError as late:
                raise AssertionError((home / "printed").read_text()) from late
            assert answers(chat, thread) == [f"You wrote: {text}" for text in asked], (home / "printed").read_text()
        assert bot.poll() is None
    finally:
        with contextlib.suppress(ProcessLookupError):  # it has died, and the test says so
            os.killpg(bot.pid, signal.SIGTERM)
        bot.wait(DEADLINE)
