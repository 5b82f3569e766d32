"""Every code of a problem has a page. Runs last (see conftest.py), so that it knows all codes that tests have seen."""

import pytest
from document import DOCUMENT
from gateway import SEEN_CODES

CODES = DOCUMENT.raw["x-problem-codes"]


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_has_a_page(gw, code):
    answer = gw.get(f"/docs/problems/{code}", token=None)
    assert answer.status == 200 and answer.kind == "text/html"
    assert code in answer.text


def test_every_code_seen_is_documented():
    assert SEEN_CODES - set(CODES) == set()


def test_an_unknown_code_has_none(gw):
    assert gw.get("/docs/problems/noSuchCode", token=None).status == 404
