"""What the events of a collection do to a list: the cases that Tests/Web/collections.test.mjs holds parley.js to as well."""

import copy
import json
import pathlib

import pytest
from parley import Event, apply_collection_event

CASES = json.loads((pathlib.Path(__file__).parent / "collection-events.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_case(case):
    known = case["known"]
    for step in case["steps"]:
        before = copy.deepcopy(known)
        event = Event(f"collection.{step['type']}", "e-1", step["data"])
        following = apply_collection_event(known, event)
        assert apply_collection_event(known, event._asdict()) == following
        assert known == before, "what was given has changed"
        if step["then"] == "missing":
            assert following is None
        elif step["then"] == "same":
            assert following is known
        else:
            assert following == step["then"]
            known = following
