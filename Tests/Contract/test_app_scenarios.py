"""The scenarios of the article "Test your CXone app" find each mistake that its table names, and nothing in a good app."""

import pathlib
import re
import sys

import pytest
from commands import parley
from gateway import Gateway

ROOT = pathlib.Path(__file__).resolve().parents[2]
ARTICLE = (ROOT / "Sources/parley/Parley.docc/TestYourApp.md").read_text()
SCENARIOS = {re.match("scenario: (.*)", text)[1]: text for text in re.findall(r"```yaml\n(scenario: .*?)```", ARTICLE, re.S)}
# The mistakes that each scenario must find, and the words of its failure.
MISTAKES = [
    ("sends again with the same id", "sends again as new", "expected message.created, message.text One once"),
    ("comes back, and loses nothing", "forgets", "expected message.created, message.text One within"),
    ("shows each message once, in order", "shows twice", 'message.text is "one, one, '),
    ("shows each message once, in order", "in order of arrival", 'message.text is "'),
    ("tries again, and waits longer", "gives up", "expected to ask for openSandboxSocket 4 times within"),
    ("tries again, and waits longer", "hurries", "expected to wait longer between its attempts at openSandboxSocket"),
    ("logs in again", "keeps its token", "expected to ask for postSandboxToken once within"),
    ("says that a file was refused", "hides it", "expected message.created, message.text /could not/ within"),
]


@pytest.fixture(scope="module")
def gw():
    with Gateway() as gateway:
        yield gateway


def play(gw, tmp_path, name, mistake=""):
    app = f"{sys.executable} {ROOT}/Tests/Contract/tested_app.py '{mistake}'"
    file = tmp_path / "app.yaml"
    file.write_text(SCENARIOS[name].replace("run: ./app", f'run: "{app}"'))
    return parley(gw, "scenario", "run", str(file), "--speed", "0", PYTHONDONTWRITEBYTECODE="1")


def test_every_row_of_the_table_has_a_scenario():
    rows = ARTICLE.partition("| try | a good app |")[2].partition("\n\n")[0].splitlines()[2:]
    assert len(rows) == len(SCENARIOS) and {name for name, _, _ in MISTAKES} == set(SCENARIOS)


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_good_app(gw, tmp_path, name):
    gw.post("/v1/sandbox/reset")
    done = play(gw, tmp_path, name)
    assert (done.returncode, done.stdout) == (0, f"ok {name}\n"), done


@pytest.mark.parametrize("name, mistake, words", MISTAKES)
def test_a_mistake_is_found(gw, tmp_path, name, mistake, words):
    gw.post("/v1/sandbox/reset")
    done = play(gw, tmp_path, name, mistake)
    assert done.returncode == 1 and words in done.stdout, done
    # What the program wrote stands behind the failure.
    assert "the program wrote:\n    the app begins" in done.stdout
