#!/usr/bin/env python3
"""Counts the figures of the desk's reports from what `parley export` has written, without any code of the gateway's.

    parley export --from 2026-05-01 --until 2026-06-01 --output may.jsonl
    Tests/Contract/figures.py may.jsonl --since 2026-05-01T00:00:00Z --until 2026-06-01T00:00:00Z --by tag

Answers and messages are counted from the messages themselves, not from the contacts' figures.
"""

import argparse
import datetime
import json
import math
from collections import defaultdict


def milliseconds(text):
    time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return int(time.timestamp()) * 1000 + time.microsecond // 1000


def percentile(percent, numbers):
    """By the nearest rank."""
    return sorted(numbers)[max(0, math.ceil(len(numbers) * percent / 100) - 1)]


class Figures:
    """What one row of a report says."""

    def __init__(self):
        self.opened = self.reopened = self.closed = self.messages_in = self.messages_out = self.automatic_only = 0
        self.first_answers, self.resolutions, self.scores = [], [], [0] * 5
        self.waits = []

    @staticmethod
    def _times(numbers):
        if not numbers:
            return {"count": 0}
        return {"count": len(numbers), "medianSeconds": percentile(50, numbers) // 1000, "p90Seconds": percentile(90, numbers) // 1000}

    @property
    def json(self):
        count = sum(self.scores)
        rating = {"count": count, "scores": self.scores}
        if count:
            mean = sum(score * number for score, number in enumerate(self.scores, 1)) / count
            rating["mean"] = math.floor(mean * 100 + 0.5) / 100
        waiting = {"count": len(self.waits)}
        if self.waits:
            waiting |= {"meanSeconds": sum(self.waits) // len(self.waits) // 1000, "longestSeconds": max(self.waits) // 1000}
        return {
            "opened": self.opened, "reopened": self.reopened, "closed": self.closed, "messagesIn": self.messages_in,
            "messagesOut": self.messages_out, "automaticOnly": self.automatic_only,
            "firstAnswer": self._times(self.first_answers), "resolution": self._times(self.resolutions), "waiting": waiting, "rating": rating}


def contacts(thread):
    """Each contact of a conversation, with its messages."""
    found = sorted(thread["contacts"], key=lambda contact: contact["openedAt"])
    ends = [contact["openedAt"] for contact in found[1:]] + ["9"]
    for contact, end in zip(found, ends):
        shown = (one for one in thread["messages"] if one.get("alsoInThread", True))
        yield contact, [one for one in shown if contact["openedAt"] <= one["createdAt"] < end]


def waits(messages):
    """How long the customer waited for each answer of a person. A bot's answer ends a wait without counting it."""
    since = None
    for message in messages:
        kind = message["author"]["kind"]
        if kind == "customer":
            since = since or milliseconds(message["createdAt"])
        elif kind in ("agent", "bot"):
            if since and kind == "agent":
                yield milliseconds(message["createdAt"]) - since
            since = None


def count(lines, since, until, by):
    """The rows of a report by their keys, and the sum."""
    rows, total = defaultdict(Figures), Figures()
    since, until = milliseconds(since), milliseconds(until)
    for line in lines:
        thread = json.loads(line)
        for contact, messages in contacts(thread):
            told = [one for one in messages if one["author"]["kind"] in ("agent", "bot")]
            answers = [one for one in told if one["author"]["kind"] == "agent"]
            opened = milliseconds(contact["openedAt"])
            tags = [tag["id"] for tag in contact.get("tags", thread.get("tags", []))] or [""]

            def keys(agent):
                return {"channel": [thread["channel"]], "agent": [agent or ""], "tag": tags}[by]

            def each(agent):
                return [rows[key] for key in keys(agent)] + [total]

            first = answers[0]["author"]["id"] if answers else None
            if since <= opened < until:
                for row in each(first):
                    row.opened += 1
                    row.reopened += contact.get("reopened", False)
                    row.messages_in += sum(one["author"]["kind"] == "customer" for one in messages)
                    row.messages_out += len(told)
                    row.waits += waits(messages)
                    if answers:
                        row.first_answers.append(milliseconds(answers[0]["createdAt"]) - opened)
            if "closedAt" not in contact or not since <= milliseconds(contact["closedAt"]) < until:
                continue
            for row in each(contact.get("closedBy")):
                row.closed += 1
                row.resolutions.append(milliseconds(contact["closedAt"]) - opened)
                row.automatic_only += bool(told) and not answers
            if "score" in contact:
                for row in each(answers[-1]["author"]["id"] if answers else None):
                    row.scores[contact["score"] - 1] += 1
    return {key: row.json for key, row in rows.items()}, total.json


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", type=argparse.FileType())
    for name in ("--since", "--until"):
        arguments.add_argument(name, required=True)
    arguments.add_argument("--by", choices=("channel", "agent", "tag"), default="channel")
    told = arguments.parse_args()
    rows, total = count(told.file, told.since, told.until, told.by)
    print(json.dumps({"items": rows, "total": total}, indent=2))


if __name__ == "__main__":
    main()
