"""Rounds, one after the other, each on a folder of its own."""

import collections
import pathlib
import random
import shutil
import time
import traceback

from deliveries.world import World


def live_and_die(world):
    """Two to four lives of the gateway, most of them ended by kill -9; then the check."""
    for _ in range(world.seed.randrange(2, 5)):
        load = world.live(0.3 + 1.2 * world.seed.random())
        end = world.kill if world.seed.random() < 0.8 else world.terminate
        end(load)
        world.restart()
    load = world.live(0.5 * world.seed.random())
    load.join()
    world.check()


class Rounds:
    def __init__(self, folder, report=lambda line: None):
        self.folder, self.report = pathlib.Path(folder), report
        self.count, self.failures, self.tally = 0, [], collections.Counter()

    def run(self, count, seed):
        """`count` rounds. The first one's seed is `seed`, so that one round can be repeated: what is chosen is the
        same then, when the threads take turns is not."""
        chance, seeds = random.Random(seed), [seed]
        while len(seeds) < count:
            seeds.append(chance.randrange(1 << 32))
        for seed in seeds:
            self.round(seed)
        return not self.failures

    def round(self, seed, work=live_and_die):
        folder, start = self.folder / f"deliveries-{seed}", time.monotonic()
        shutil.rmtree(folder, ignore_errors=True)
        world = None
        try:
            world = World(folder, random.Random(seed))
            work(world)
            outcome = "ok"
        except Exception:
            fault = traceback.format_exc()
            self.failures.append((seed, fault))
            outcome = f"FAILED, see {folder}; again: --seed {seed} --rounds 1\n{fault}"
            if world:
                world.keep(fault)
        finally:
            if world:
                world.close()
                self.tally.update(world.tally())
        if outcome == "ok":
            shutil.rmtree(folder)
        self.count += 1
        self.report(f"{seed}: {outcome} ({time.monotonic() - start:.1f} s)")

    def summary(self):
        counts = ", ".join(f"{count} {name}" for name, count in sorted(self.tally.items()))
        return f"{self.count} rounds, {len(self.failures)} failed; {counts}"
