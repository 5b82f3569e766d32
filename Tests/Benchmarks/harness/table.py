"""Rows of the table: what each side measured, and whether the figure is reached."""

import statistics
from dataclasses import dataclass, field


def median(values):
    return statistics.median(values) if values else None


@dataclass
class Target:
    """A figure to reach: its words, and how medians are held against it."""
    text: str
    test: object  # (ours, peer) -> bool
    is_ratio: bool = False


def at_least(ratio):
    return Target(f">= {ratio:g} of peer", lambda ours, peer: ours >= ratio * peer, True)


def at_most(ratio):
    return Target(f"<= {ratio:g} of peer", lambda ours, peer: ours <= ratio * peer, True)


def at_most_plus(extra, words):
    return Target(f"<= peer + {words}", lambda ours, peer: ours <= peer + extra)


def no_more_than(limit, words):
    return Target(f"<= {words}", lambda ours, peer: ours <= limit)


@dataclass
class Row:
    """One line. `ours` and `peer` are what the runs gave, in their order."""
    what: str
    unit: str
    ours: list = field(default_factory=list)
    peer: list = field(default_factory=list)
    peer_name: str = ""
    target: Target = None
    note: str = ""
    failure: str = ""

    @property
    def ratio(self):
        ours, peer = median(self.ours), median(self.peer)
        return ours / peer if ours is not None and peer else None

    @property
    def verdict(self):
        if self.failure:
            return "failed"
        if not self.target:
            return ""
        return "reached" if self.target.test(median(self.ours), median(self.peer)) else "missed"

    def json(self):
        return {
            "what": self.what, "unit": self.unit, "parley": median(self.ours), "peer": median(self.peer), "peerName": self.peer_name,
            "ratio": self.ratio, "target": self.target.text if self.target else None, "verdict": self.verdict,
            "note": self.note, "failure": self.failure, "parleyRuns": self.ours, "peerRuns": self.peer}


def number(value):
    if value is None:
        return ""
    if abs(value) >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def spread(values):
    """Least and greatest of the runs, where there were several."""
    return f" ({number(min(values))}-{number(max(values))})" if len(values) > 1 else ""


HEADINGS = ["what", "unit", "Parley", "peer", "beside", "ratio", "target", ""]


def render(rows):
    lines = [HEADINGS]
    for row in rows:
        lines.append([
            row.what, row.unit, number(median(row.ours)) + spread(row.ours), number(median(row.peer)) + spread(row.peer),
            row.peer_name, number(row.ratio), row.target.text if row.target else "", row.verdict])
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
    text.insert(1, "  ".join("-" * width for width in widths))
    notes = [f"* {row.what}: {row.failure or row.note}" for row in rows if row.failure or row.note]
    return "\n".join(text + ([""] + notes if notes else []) + [""] + missed(rows))


def missed(rows):
    """What is not reached, and what could not be measured, in a line each."""
    verdicts = [row.verdict for row in rows]
    lines = [f"{verdicts.count('reached')} reached, {verdicts.count('missed')} missed, {verdicts.count('failed')} failed"]
    for row in rows:
        if row.verdict == "missed":
            value = f"{number(row.ratio)} of peer" if row.target.is_ratio else f"{number(median(row.ours))} {row.unit}".strip()
            lines.append(f"- {row.what}: {value}, not {row.target.text}")
        elif row.verdict == "failed":
            lines.append(f"- {row.what}: failed")
    return lines
