"""How many pages of the database a message writes. SQLite writes whole pages, so each table and index that a message
touches costs one at least; whoever makes a message cheaper lowers the budget."""

import pathlib
import sys

import pytest
from database import IS_POSTGRES
from serving import Gateway

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "Benchmarks"))
from harness.pages import alone, written  # noqa: E402

pytestmark = pytest.mark.skipif(IS_POSTGRES, reason="counts what SQLite writes")

# Of a message alone, with an idempotency key: 22 were counted. How many stand in a group depends on the machine.
BUDGET = 23.5


def test_the_budget_is_not_exceeded():
    gateway = Gateway()
    try:
        gateway.start()
        pages = written(gateway.folder / "parley.sqlite", gateway.port, gateway.token, [alone])[alone]
    finally:
        gateway.close()
    # A log that cannot be read would pass with counts of nothing.
    assert pages["message"] >= 1 and pages["thread"] >= 1
    assert sum(pages.values()) <= BUDGET, f"by table and index: {pages}"
