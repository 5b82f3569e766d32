"""Random operations against a model of what must be readable: a fixed seed and today's, and defects that it must find.

`python Tests/Faults/model` runs longer ones; a run that fails prints its seed and a shorter list of operations.
"""

import datetime
import json

import pytest
from model.answers import Mismatch
from model.exploration import carry_out, explore
from model.followers import Replica
from model.run import Run, plan


@pytest.mark.parametrize("seed", [4711, int(f"{datetime.date.today():%Y%m%d}")])
def test_what_was_done_is_what_is_read(seed):
    fault = explore(seed, operations=1500, customers=4, restart_every=500, shrink_seconds=60)
    assert fault is None, f"seed {seed}: {fault}"


def changed_answer(change):
    """A gateway whose answers are changed on their way."""

    def plant(monkeypatch):
        call = Run.call

        def changed(self, method, path, *arguments, **named):
            answer = call(self, method, path, *arguments, **named)
            return change(self, method, path, answer) or answer

        monkeypatch.setattr(Run, "call", changed)

    return plant


def one_unread_too_few(run, method, path, answer):
    if method == "GET" and path.endswith("/threads?limit=200") and answer.status == 200:
        answer.body = answer.body.replace(b'"unreadCount":3', b'"unreadCount":2')


def two_messages_change_places(run, method, path, answer):
    if method == "GET" and "/messages?limit=200" in path and answer.status == 200 and len(answer["items"]) > 5:
        items = answer.json["items"]
        items[1], items[2] = items[2], items[1]
        answer.body = json.dumps({**answer.json, "items": items}).encode()


def a_lost_edit(monkeypatch):
    """Every eighth edit is acknowledged and not made."""
    call, count = Run.call, [0]

    def lossy(self, method, path, body=None, *arguments, **named):
        if method == "PATCH" and body and "text" in body:
            count[0] += 1
            if count[0] % 8 == 0:
                method, body = "GET", None
        return call(self, method, path, body, *arguments, **named)

    monkeypatch.setattr(Run, "call", lossy)


def a_lost_event(monkeypatch):
    """Every fortieth event of a stream does not arrive."""
    take, count = Replica.take, [0]

    def lossy(self, event):
        count[0] += 1
        if count[0] % 40:
            take(self, event)

    monkeypatch.setattr(Replica, "take", lossy)


def an_event_twice(monkeypatch):
    take, count = Replica.take, [0]

    def doubled(self, event):
        take(self, event)
        count[0] += 1
        if count[0] % 40 == 0 and event.id:
            take(self, event)

    monkeypatch.setattr(Replica, "take", doubled)


@pytest.mark.parametrize(
    "plant",
    [
        changed_answer(one_unread_too_few),
        changed_answer(two_messages_change_places),
        a_lost_edit,
        a_lost_event,
        an_event_twice,
    ],
    ids=["unread count", "order", "lost edit", "lost event", "event twice"],
)
def test_a_planted_defect_is_found(plant, monkeypatch):
    plant(monkeypatch)
    fault, done, _ = carry_out(plan(4711, 600), customers=3)
    assert isinstance(fault, Mismatch), f"nothing found in {done} operations: {fault!r}"
    print(f"found after {done} operations: {fault}")
