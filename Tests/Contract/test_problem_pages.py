"""Every code of a problem has a page. Runs last (see conftest.py), so that it knows all codes that tests have seen."""

import re

import pytest
from document import DOCUMENT
from gateway import SEEN_AT, SEEN_CODES

CODES = DOCUMENT.raw["x-problem-codes"]


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page(gw, code):
    answer = gw.get(f"/docs/problems/{code}", token=None)
    assert answer.status == 200 and answer.kind == "text/html"
    assert code in answer.text


def test_every_code_seen_is_documented():
    assert SEEN_CODES - set(CODES) == set()


def test_every_code_seen_is_listed_at_its_operation(gw):
    """The reference says which codes an operation answers with: its own, and those of every operation."""
    codes = re.compile(r'href="/docs/problems/(\w+)"')
    start = gw.get("/docs").text
    of_all = set(codes.findall(start.partition('id="every-operation"')[2].partition("</ul>")[0]))
    assert {"unauthorized", "methodNotAllowed", "unknownParameter"} <= of_all
    listed = {}
    for tag in DOCUMENT.raw["tags"]:
        for section in re.split(r'<section class="operation" id="', gw.get(f"/docs/api/{tag['name']}").text)[1:]:
            listed[section.partition('"')[0]] = of_all | set(codes.findall(section))
    assert set(listed) == {operation["operationId"] for _, _, operation in DOCUMENT.operations}
    assert not (silent := sorted(seen for seen in SEEN_AT if seen[1] not in listed[seen[0]])), silent


def test_codes_of_some_operations_name_what_there_is():
    ids = {operation["operationId"] for _, _, operation in DOCUMENT.operations}
    tags = {tag["name"] for tag in DOCUMENT.raw["tags"]}
    paths = " ".join(DOCUMENT.raw["paths"])
    for code, places in DOCUMENT.raw["x-problem-scope"].items():
        assert code in CODES
        assert [place for place in places if place not in ids | tags and place not in paths] == [], code


def test_an_unknown_code_has_none(gw):
    assert gw.get("/docs/problems/noSuchCode", token=None).status == 404
