"""The JWTs that the article Customers.md makes in five languages, run as they are printed there: each one begins a chat."""

import os
import shutil
import subprocess
import sys

import pytest
from test_guide import GUIDE, blocks

SAMPLES = {language: text for language, text in blocks(GUIDE / "Customers.md") if "CHAT_SECRET_ID" in text and language != "sh"}
# By the language of a block: the file and what runs it.
PROGRAMS = {
    "python": ("identity.py", [sys.executable]), "js": ("identity.mjs", ["node"]), "php": ("identity.php", ["php"]),
    "ruby": ("identity.rb", ["ruby"]), "go": ("identity.go", ["go", "run"]),
}


@pytest.fixture(scope="module")
def shop(gw):
    """A channel that knows its customers by JWTs, and one of its secrets."""
    visitors = {"public": True, "identity": "required", "consent": {"version": "2026-05"}}
    gw.post("/v1/desk/channels", {"id": "samples", "mode": "multithread", "visitors": visitors})
    gw.post("/v1/desk/channels/samples/identitySecrets")  # the samples say by `kid` which one they mean
    return gw.post("/v1/desk/channels/samples/identitySecrets")


def test_each_language_has_a_sample():
    assert set(SAMPLES) == set(PROGRAMS)


@pytest.mark.parametrize("language", PROGRAMS)
def test_a_sample_makes_a_jwt_that_begins_a_chat(gw, shop, tmp_path, language):
    name, command = PROGRAMS[language]
    if not shutil.which(command[0]):
        pytest.skip(f"{command[0]} is not on this machine")
    (tmp_path / name).write_text(SAMPLES[language])
    environment = {**os.environ, "CHAT_SECRET_ID": shop["id"], "CHAT_SECRET": shop["secret"], "GOCACHE": str(tmp_path / "cache"), "LANG": "C.UTF-8"}
    made = subprocess.run([*command, name], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert made.returncode == 0 and made.stderr == "", made.stderr
    visitor = gw.post("/v1/visitors", {"channel": "samples", "consent": "2026-05", "identity": made.stdout.strip()}, token=None)
    assert visitor["verified"] is True
    assert visitor["customer"] == {"id": "4711", "firstName": "Zoë", "lastName": "Berg", "email": "zoe@shop.example", "verified": True}
