"""The library web/parley.js holds a chat from Node (chat.mjs)."""

import os
import pathlib
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
