"""What the article about the architecture says of the code."""

import pathlib
import re

import pytest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "Sources"
ARTICLE = SOURCES / "parley/Parley.docc/Architecture.md"
PLACES = re.findall(r"^\| (.+) \| `(\S+\.swift)` \| `(\w+)` \|$", ARTICLE.read_text(), re.M)


def test_forty_behaviours_have_a_place():
    assert len({behaviour for behaviour, _, _ in PLACES}) == len(PLACES) >= 40


@pytest.mark.parametrize("behaviour, path, name", PLACES, ids=[behaviour for behaviour, _, _ in PLACES])
def test_a_behaviour_is_where_the_article_says(behaviour, path, name):
    assert re.search(rf"\b(func|var|struct|enum|class) {name}\b", (SOURCES / path).read_text())
