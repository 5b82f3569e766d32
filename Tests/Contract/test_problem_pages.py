"""Every code of a problem has a page."""

import pytest
from document import DOCUMENT

CODES = DOCUMENT.raw["x-problem-codes"]


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page(gw, code):
    answer = gw.get(f"/docs/problems/{code}", token=None)
    assert answer.status == 200 and answer.kind == "text/html"
    assert code in answer.text


def test_the_reference_lists_codes_at_every_operation(listed_codes):
    """That these are all which tests have seen is looked up after each module (see conftest.py)."""
    of_all, listed = listed_codes
    assert {"unauthorized", "methodNotAllowed", "unknownParameter"} <= of_all
    assert set(listed) == {operation["operationId"] for _, _, operation in DOCUMENT.operations}


def test_codes_of_some_operations_name_what_there_is():
    ids = {operation["operationId"] for _, _, operation in DOCUMENT.operations}
    tags = {tag["name"] for tag in DOCUMENT.raw["tags"]}
    paths = " ".join(DOCUMENT.raw["paths"])
    for code, places in DOCUMENT.raw["x-problem-scope"].items():
        assert code in CODES
        assert [place for place in places if place not in ids | tags and place not in paths] == [], code


def test_an_unknown_code_has_none(gw):
    assert gw.get("/docs/problems/noSuchCode", token=None).status == 404
