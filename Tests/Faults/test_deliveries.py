"""Ten rounds of webhooks with receivers that fail and a gateway that is killed, and defects that the check must find.

`python Tests/Faults/deliveries --rounds 200` runs more.
"""

import random
import re
import shutil
import sqlite3

import pytest
from database import sqlite_only
from deliveries import checker
from deliveries.run import Rounds, live_and_die
from deliveries.world import World
from webhook_receiver import Receipt, Receiver


def test_ten_rounds(tmp_path, seed):
    rounds = Rounds(tmp_path, print)
    is_good = rounds.run(10, seed.randrange(1 << 32))
    print(rounds.summary())
    assert is_good, rounds.failures[0][1]
    assert rounds.tally["kills"] >= 5 and rounds.tally["repetitions"] > 5
    assert rounds.tally["deliveries"] > 200


# -- defects that are planted


def found(folder, plant, words):
    """A round with the defect fails, and says so in these words. A defect may miss a round."""
    for seed in range(1, 6):
        rounds = Rounds(folder, print)
        rounds.round(seed, lambda world: (plant(world), live_and_die(world)))
        if rounds.failures:
            fault = rounds.failures[0][1]
            assert re.search(words, fault), fault
            return
        shutil.rmtree(folder / f"deliveries-{seed}", ignore_errors=True)
    pytest.fail("not found in 5 rounds")


@sqlite_only("it plants the defect in SQLite's file")
def test_a_result_that_is_stored_before_the_answer_is_found(tmp_path):
    """What such a gateway leaves when it is killed: what was on its way counts as delivered."""

    def plant(world):
        restart = world.restart

        def damaged():
            with sqlite3.connect(world.gateway.folder / "parley.sqlite") as database:
                database.execute("UPDATE delivery SET state = 'delivered', doneAt = createdAt WHERE state = 'pending'")
            database.close()
            restart()

        world.restart = damaged

    found(tmp_path, plant, "events are lost")


@sqlite_only("it plants the defect in SQLite's file")
def test_a_position_that_is_not_stored_is_found(tmp_path):
    """What such a gateway leaves: all events since an earlier position are taken and sent again."""

    def plant(world):
        restart = world.restart

        def damaged():
            with sqlite3.connect(world.gateway.folder / "parley.sqlite") as database:
                database.execute("DELETE FROM delivery WHERE state = 'delivered'")
                database.execute("UPDATE target SET position = max(position - 200, 0)")
            database.close()
            restart()

        world.restart = damaged

    found(tmp_path, plant, "came again|is not for it|came after")


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A round that is over and good, whose receipts tests may change."""
    world = World(tmp_path_factory.mktemp("done") / "round", random.Random(7))
    try:
        live_and_die(world)
        target = max(world.targets, key=lambda each: len(each.receiver.receipts))
        path, token = target.stream
        yield target, world.log(path, token), world.deaths
    finally:
        world.close()


def plain(target, log, deaths):
    """The index of a receipt that nothing excuses.

    It was taken at once, is the only one of its event, and stands in its thread after another one of that kind, while
    the same process lived.
    """
    receipts, logged = target.receiver.receipts, {event.offset for event in log}
    offsets = [receipt.offset for receipt in receipts]
    last = {}
    for number, receipt in enumerate(receipts):
        is_good = offsets.count(receipt.offset) == 1 and receipt.offset in logged
        is_good = is_good and not checker.is_failed(receipt, target)
        before = last.get(receipt.thread)
        last[receipt.thread] = receipt if is_good else None
        if is_good and before and not checker.deaths_between(before, receipt, deaths):
            return number
    raise AssertionError("no receipt is plain")


def lose(receipts, number):
    del receipts[number]


def repeat(receipts, number):
    receipts.append(receipts[number])


def swap(receipts, number):
    other = next(n for n in range(number) if receipts[n].thread == receipts[number].thread)
    receipts[number], receipts[other] = receipts[other], receipts[number]


def hurry(receipts, number):
    other = max(n for n in range(number) if receipts[n].thread == receipts[number].thread)
    receipts[other].ended = receipts[number].began + 0.001


def exchange(receipts, number):
    receipts[number].data = {**receipts[number].data, "threadId": "another"}


CHANGES = {
    lose: "events are lost",
    repeat: "came again",
    swap: "came after",
    hurry: "before .* was answered",
    exchange: "the log has",
}


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_receipts_that_are_changed_are_found(done, change, monkeypatch):
    target, log, deaths = done
    checker.check(target, log, deaths)
    receipts = list(target.receiver.receipts)
    number = plain(target, log, deaths)
    kept = {each: (each.ended, each.data) for each in receipts}
    try:
        change(receipts, number)
        monkeypatch.setattr(target.receiver, "receipts", receipts)
        with pytest.raises(AssertionError, match=CHANGES[change]):
            checker.check(target, log, deaths)
    finally:
        for each, (ended, data) in kept.items():
            each.ended, each.data = ended, data


def test_a_wrong_signature_is_found():
    headers = {"webhook-id": "a-1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA"}
    with pytest.raises(AssertionError), Receiver() as receiver:
        receiver.secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        receiver.note(Receipt(headers, b'{"type":"message.created","timestamp":"","data":{}}', 0.0))
        assert not receiver.receipts[0].is_genuine
