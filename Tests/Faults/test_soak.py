"""Some seconds of the soak: what clients took is given back when they have left. Only the long run judges memory."""

from soak.run import Soak


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
    assert after["connections"] <= before["connections"]
    # Readers of the database that were opened under load stay open.
    assert after["descriptors"] <= before["descriptors"] + 16, (before, after)
    assert after["threads"] <= before["threads"] + 8, (before, after)
    assert len((tmp_path / "soak.csv").read_text().splitlines()) == len(soak.samples) + 1
