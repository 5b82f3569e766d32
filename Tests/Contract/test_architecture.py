"""What the article about the architecture says of the code."""

import pathlib
import re

import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"
ARTICLE = SOURCES / "parley/Parley.docc/Architecture.md"
TARGETS = {path.name for path in SOURCES.iterdir() if path.name != "DebianPackage"}
ROWS = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| .+ \| (.+) \|$", ARTICLE.read_text(), re.M)
PLACES = re.findall(r"^\| (.+) \| `(\S+\.swift)` \| `(\w+)` \|$", ARTICLE.read_text(), re.M)


def test_forty_behaviours_have_a_place():
    assert len({behaviour for behaviour, _, _ in PLACES}) == len(PLACES) >= 40


def test_each_behaviour_is_where_the_article_says():
    """One test: hundreds of them took more time than what they look at."""
    def is_there(path, name):
        file = SOURCES / path
        return file.is_file() and re.search(rf"\b(func|var|let|struct|enum|class) {name}\b", file.read_text())

    assert [place for place in PLACES if not is_there(*place[1:])] == []


def imports(target: str) -> set[str]:
    """The other targets that the files of a target name in imports."""
    found: set[str] = set()
    for file in (SOURCES / target).rglob("*.swift"):
        found.update(re.findall(r"^\s*(?:@\w+ )?import (?:struct |enum |class |func )?(\w+)", file.read_text(), re.M))
    return found & TARGETS - {target}


def test_the_table_has_every_target():
    assert {name for names, _ in ROWS for name in re.findall(r"\w+", names)} == TARGETS


@pytest.mark.parametrize("names, allowed", ROWS, ids=[names for names, _ in ROWS])
def test_a_target_imports_what_the_table_allows(names, allowed):
    for target in re.findall(r"\w+", names):
        may = TARGETS if allowed == "all" else set(re.findall(r"\w+", re.sub(r"\(.*?\)", "", allowed))) | {"Bounds"}
        assert imports(target) <= may
