"""Clients of openapi-generator, made by the commands of the article GeneratedClients and from what a gateway serves: each compiles
and holds the same chat. `Tests/run generators` installs what this needs; without it nothing here runs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from document import DOCUMENT

HERE = pathlib.Path(__file__).resolve().parent
ARTICLE = HERE.parents[1] / "Sources/parley/Parley.docc/GeneratedClients.md"
PROGRAMS = HERE / "generators"
VENV = pathlib.Path(sys.executable).parent
GENERATOR = VENV / "openapi-generator-cli"
NEEDED = [GENERATOR, "java", "javac", "tsc", "node", "go"]
MISSING = [str(tool) for tool in NEEDED if not shutil.which(tool)]
pytestmark = pytest.mark.skipif(bool(MISSING), reason=f"Tests/run generators installs {', '.join(MISSING)}")

# By the article's headings: what compiles and runs the program that holds the chat, beside the client.
RUNS = {
    "Python": ["PYTHONPATH=python python3 chat.py"],
    "TypeScript": [
        "tsc --strict --suppressImplicitAnyIndexErrors --target es2022 --module commonjs --outDir javascript chat.ts",
        "node javascript/chat.js",
    ],
    "Java": ["javac -proc:none -cp classes:$CLASSPATH -d classes Chat.java", "java -cp classes:$CLASSPATH Chat"],
    "Go": [
        "mkdir -p go/src/chat && cp chat.go go/src/chat/main.go",
        "GO111MODULE=off GOPATH=$PWD/go:/usr/share/gocode go run chat",
    ],
}
# What each of them has to find, whatever the language calls it.
FOUND = {
    "customer": "Ann",
    "repeated": True,
    "texts": ["Hi", "Hello"],
    "author": ["Eve", "toClient"],
    "replies": ["Hi", "Thanks", True],
    "collections": ["messages", "messages"],
    "events": ["thread.created", "message.created"],
    "event": "Hello",
    "file": ["plan.txt", 4, 4],
    "name": None,
    "time": True,
    "problem": [404, "unknownThread", 404],
}


def commands(heading):
    section = re.split(r"^## ", ARTICLE.read_text(), flags=re.M)
    text = next(part for part in section if part.startswith(heading))
    return [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]


@pytest.fixture(scope="module")
def shell(gw, tmp_path_factory):
    """Runs a command as the article's reader does, in a folder that has the gateway's document."""
    folder = tmp_path_factory.mktemp("generated")
    jar = next((VENV.parent / "lib").glob("python*/site-packages/openapi_generator_cli/openapi-generator.jar"))
    environment = {
        **os.environ,
        "PATH": f"{VENV}:{os.environ['PATH']}",
        "PARLEY_GATEWAY": gw.origin,
        "PARLEY_TOKEN": gw.token,
        "CHANNEL": "contract-multi",
        # The generator's own jar has Jackson in it, which Debian has in parts only.
        "CLASSPATH": f"{jar}:/usr/share/java/geronimo-annotation-1.3-spec.jar:/usr/share/java/httpmime.jar:/usr/share/java/httpcore.jar",
        # These machines end after seconds: what the second compiler would gain, it costs.
        "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "GOCACHE": str(folder / "go-cache"),
        "GOFLAGS": "",
    }

    def run(command):
        done = subprocess.run(["bash", "-euc", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{command}\n{(done.stdout + done.stderr)[-8000:]}"
        return done.stdout

    run.folder = folder
    for command in commands("Overview"):
        run(command)
    return run


@pytest.mark.parametrize("language", RUNS)
def test_a_generated_client_holds_a_chat(shell, language):
    for command in commands(language):
        shell(command)
    for program in PROGRAMS.iterdir():
        (shell.folder / program.name).write_text(program.read_text())
    told = [shell(command) for command in RUNS[language]]
    assert json.loads(told[-1].splitlines()[-1]) == FOUND


def test_the_generator_has_no_complaint(shell):
    """Warnings of the generator are about its own version, and about models that streams of events have."""
    done = subprocess.run([GENERATOR, "validate", "-i", shell.folder / "parley.json"], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout
    unused = set(re.findall(r"Unused model: (\w+)", done.stdout))
    streamed = {schema["$ref"].rpartition("/")[2] for _, _, operation in DOCUMENT.operations
                for schema in operation.get("x-events", {}).values()}
    assert streamed & unused
    assert "Errors" not in done.stdout
