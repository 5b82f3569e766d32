"""Ids that parley.py makes."""

import re
import time

from parley import new_id

UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def test_an_id_is_a_uuid_of_version_7():
    ids = [new_id() for _ in range(1000)]
    assert len(set(ids)) == len(ids)
    assert all(UUID.fullmatch(each) for each in ids)


def test_an_id_begins_with_the_time(monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_000_999_999)
    first = new_id()
    assert first.startswith("018bcfe5-6800-7")
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_000_001_000_000)
    assert first < new_id()
