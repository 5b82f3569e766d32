"""Rounds, one after the other, each on a folder of its own."""

import collections
import pathlib
import random
import shutil
import time
import traceback

from campaign import kinds, platforms
from campaign.world import World


class Campaign:
    def __init__(self, folder, report=lambda line: None):
        self.folder, self.report = pathlib.Path(folder), report
        self.rounds, self.failures = collections.Counter(), []
        self.operations = collections.Counter()

    def run(self, count, seed, names):
        """`count` rounds; the kinds take turns. The first round's seed is `seed`, so one round can be repeated."""
        chance, seeds = random.Random(seed), [seed]
        while len(seeds) < count:
            seeds.append(chance.randrange(1 << 32))
        for number, seed in enumerate(seeds):
            self.round(names[number % len(names)], seed)
        return not self.failures

    def round(self, name, seed):
        folder, start = self.folder / f"{name}-{seed}", time.monotonic()
        kind = next(each for each in ALL if each.__name__ == name)
        world = None
        try:
            world = WORLDS[name](folder, random.Random(seed))
            kind(world)
            outcome = "ok"
        except Exception:
            fault = traceback.format_exc()
            self.failures.append((name, seed, fault))
            outcome = f"FAILED, see {folder}; again: --kinds {name} --seed {seed} --rounds 1\n{fault}"
            if world:
                world.keep(fault)
        finally:
            if world:
                world.close()
                self.operations.update(world.tally())
        if outcome == "ok":
            shutil.rmtree(folder)
        self.rounds[name] += 1
        self.report(f"{name} {seed}: {outcome} ({time.monotonic() - start:.1f} s)")

    def summary(self):
        counts = ", ".join(f"{name} {count}" for name, count in sorted(self.rounds.items()))
        operations = ", ".join(f"{count} {name}" for name, count in self.operations.items())
        return f"{sum(self.rounds.values())} rounds ({counts}), {len(self.failures)} failed; {operations}"


ALL = [*kinds.KINDS, platforms.platform]
WORLDS = {
    kind.__name__: (lambda folder, seed, shim=shim, power=kind is kinds.power: World(folder, seed, shim, power))
    for kind, shim in kinds.KINDS.items()
} | {"platform": platforms.Platforms}
