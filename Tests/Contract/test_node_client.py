"""The library web/parley.js holds a chat from Node (chat.mjs)."""

import os
import pathlib
import re
import shutil
import subprocess

HERE = pathlib.Path(__file__).parent


def test_it_holds_a_chat(gw):
    node = shutil.which("node")
    assert node, "node is not installed"
    done = subprocess.run([node, str(HERE / "chat.mjs")], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PARLEY_URL": gw.origin, "PARLEY_TOKEN": gw.token, "PARLEY_CHANNEL": "contract-multi"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "done"


def test_the_first_example_of_its_article_shows_the_chat(gw, tmp_path):
    """As a reader pastes it, beside the library: it prints what was said before it began to follow."""
    root = HERE.parents[1]
    for name in ("parley.js", "parley"):
        (tmp_path / name).symlink_to(root / "web" / name)
    text = (root / "Sources/parley/Parley.docc/JavaScript.md").read_text()
    program = re.search(r"```js\n(.*?)```", text, re.S)[1].replace("http://127.0.0.1:8787", gw.origin)
    (tmp_path / "chat.mjs").write_text(program.replace("'multi'", "'contract-multi'"))
    node = subprocess.Popen(
        [shutil.which("node"), "--preserve-symlinks", "chat.mjs"], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PARLEY_TOKEN": gw.token})
    try:
        said = []
        for line in node.stdout:  # until both messages are there, or the program ends
            said += re.findall(r"text: '(Where is my order\?|On its way\.)'", line)
            if said[-1:] == ["On its way."]:
                break
        assert said[0] == "Where is my order?" and said[-1] == "On its way."
    finally:
        node.kill()
        node.wait()
