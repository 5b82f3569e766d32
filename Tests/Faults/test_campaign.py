"""A round of each kind of the fault campaign, and a check that the campaign finds what it is there to find."""

import random
import sqlite3

import pytest
from campaign.checker import Database
from campaign.run import ALL, Campaign
from campaign.world import World
from database import sqlite_only

pytestmark = sqlite_only("it plants faults in SQLite's files, and reads its rows; test_standby_rounds.py is its like")

NAMES = [kind.__name__ for kind in ALL]


@pytest.mark.parametrize("name", NAMES)
def test_a_round(name, tmp_path):
    campaign = Campaign(tmp_path, print)
    assert campaign.run(1, 20261122 + NAMES.index(name), [name]), campaign.failures[0][2]
    assert campaign.operations["acknowledged"] > 3


# -- defects that are planted


def test_a_disk_that_lies_is_found(tmp_path):
    """Synchronisations report success and keep nothing; then the power is cut."""
    world = World(tmp_path, random.Random(1), loses_power=True)
    try:
        world.shim.lie()
        with pytest.raises(AssertionError):
            for _ in range(3):
                load = world.load()
                world.wait(1.5)
                world.kill(load)
                world.shim.cut_power(world.seed)
                world.restart()
                world.check()
    finally:
        world.close()


def test_an_answer_without_a_commit_is_found(tmp_path):
    world = World(tmp_path, random.Random(2), shim=False)
    try:
        thread = world.customers[0].threads[0]
        key, text = ("message", thread, "never-sent"), world.journal.text("never sent")
        world.journal.began(key, text)
        world.journal.answered(key, text, 201)
        with pytest.raises(AssertionError, match="never-sent"):
            world.check()
    finally:
        world.close()


TAMPERING = {
    "a lost message": "DELETE FROM message WHERE number = (SELECT max(number) FROM message)",
    "another text": "UPDATE message SET json = CAST(replace(CAST(json AS TEXT), 'opening', 'closing') AS BLOB)",
    "a lost log row": "DELETE FROM log WHERE place = (SELECT max(place) FROM log WHERE type = 'message.created')",
    "a log row twice": "INSERT INTO log SELECT place + 100000, at, type, owner, message, audience, data FROM log "
    "WHERE type = 'message.created' LIMIT 1",
    "somebody who is not told": "DELETE FROM audience WHERE place = (SELECT max(place) FROM log)",
    "a text that should be gone": "UPDATE receipt SET body = CAST('{removed}' AS BLOB)",
    "a lost session": "DELETE FROM session",
    "a lost field": "UPDATE account SET customFields = CAST('{}' AS BLOB)",
    "a head that is too low": "UPDATE meta SET value = 1 WHERE name = 'head'",
}


def test_what_is_tampered_with_is_found(tmp_path):
    world = World(tmp_path, random.Random(3), shim=False)
    try:
        load = world.load()
        while not (
            world.journal.of("customerField")
            and any(
                "<removed>" in entry.states and len(entry.states) == 1 for entry in world.journal.of("message").values()
            )
        ):
            world.wait(0.2)
        load.join()
        world.gateway.stop()
        Database(world.gateway.folder, world.journal).check()
        removed = next(
            world.journal.texts[key][0].partition(" ")[0]
            for key, entry in world.journal.of("message").items()
            if entry.must_be == "<removed>"
        )
        whole = (world.gateway.folder / "parley.sqlite").read_bytes()
        for name, statement in TAMPERING.items():
            (world.gateway.folder / "parley.sqlite").write_bytes(whole)
            database = sqlite3.connect(world.gateway.folder / "parley.sqlite")
            with database:
                assert database.execute(statement.replace("{removed}", removed)).rowcount > 0, name
            database.close()
            try:
                Database(world.gateway.folder, world.journal).check()
            except (AssertionError, KeyError):
                continue
            pytest.fail(f"not found: {name}")
    finally:
        world.close()
