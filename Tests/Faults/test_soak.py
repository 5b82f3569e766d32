"""Some seconds of the soak: what clients took is given back when they have left. Only the long run judges memory."""

import pathlib

from soak.run import Soak
from soak.verdict import Verdict


def test_what_clients_took_is_given_back(tmp_path):
    # Without sessions on a platform: connections to it are kept for a minute.
    soak = Soak(streams=200, rate=30, seed=1, csv=tmp_path / "soak.csv", only=["session", "collection", "file", "app"])
    soak.run(seconds=12, every=2, rest=4)
    assert not soak.faults, soak.faults
    before = soak.samples[0]
    load = [sample for sample in soak.samples if sample["phase"] == "load"]
    after = soak.samples[-1]
    assert max(sample["streams"] for sample in load) >= 190
    assert all(soak.done[kind] > 0 for kind in ("sent", "session", "collection", "file", "app", "events")), soak.done
    assert after["streams"] == 0 and after["sessions"] == before["sessions"]
    # The one on which the sample is asked for may be counted already, or not.
    assert after["connections"] <= max(1, before["connections"])
    # Readers of the database that were opened under load stay open.
    assert after["descriptors"] <= before["descriptors"] + 16, (before, after)
    assert after["threads"] <= before["threads"] + 8, (before, after)
    # Nor do they grow while the load stays the same.
    growth = [fault for fault in Verdict(soak.samples, warm_up=4).faults if fault.startswith(("descriptors", "threads"))]
    assert not growth, growth
    assert len((tmp_path / "soak.csv").read_text().splitlines()) == len(soak.samples) + 1


def test_the_allocator_gives_back_what_an_idle_gateway_does_not_use(gw):
    """It has a thread of its own for that; without one, memory is given back only while more is allocated."""
    threads = pathlib.Path(f"/proc/{gw.pid}/task")
    assert "jemalloc_bg_thd" in {(thread / "comm").read_text().strip() for thread in threads.iterdir()}


def samples(**growth):
    """An hour: a sample each ten seconds that grows by so much an hour."""
    flat = {
        "rss": 80 << 20,
        "anonymous": 40 << 20,
        "descriptors": 2000,
        "threads": 15,
        "streams": 2000,
        "sessions": 100,
    }
    left = {**flat, "rss": 50 << 20, "descriptors": 50, "streams": 0, "sessions": 0}
    load = [
        {name: value + growth.get(name, 0) * number // 360 for name, value in flat.items()}
        | {"phase": "load", "seconds": number * 10}
        for number in range(361)
    ]
    return [{**left, "phase": "before", "seconds": 0}, *load, {**left, "phase": "after", "seconds": 3700}]


def test_the_verdict_sees_what_grows():
    assert not Verdict(samples(), warm_up=600).faults
    assert not Verdict(samples(rss=900_000), warm_up=600).faults
    for growth in ({"rss": 2 << 20}, {"descriptors": 500}, {"threads": 40}):
        assert Verdict(samples(**growth), warm_up=600).faults, growth
    stays = samples()
    stays[-1] |= {"rss": 79 << 20, "sessions": 1}
    assert len(Verdict(stays, warm_up=600).faults) == 2
