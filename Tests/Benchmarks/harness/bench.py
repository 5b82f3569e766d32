"""One run of the benchmarks: its folder, its compiled programs, how long and how often it measures."""

import contextlib
import itertools
import os
import shutil
import tempfile
import time

from .processes import run

MEMORY = "/dev/shm"
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Bench:
    def __init__(self, gateway, arguments, quick, rounds=None, say=lambda text: None):
        self.gateway_binary = gateway
        self.gateway_arguments = arguments
        self.quick = quick
        self.rounds = rounds or (3 if quick else 5)
        self.say = say
        self.folder = tempfile.mkdtemp(prefix="parley-bench-")
        self.started = time.monotonic()
        self.shortened = []
        self._figure, self._figure_end = "", float("inf")
        self._numbers = itertools.count(1)
        self._kept = {}

    def build(self):
        run(["make", "-s", "-C", HERE, f"OUT={self.folder}/bin"], timeout=120)

    def program(self, name):
        return f"{self.folder}/bin/{name}"

    def seconds(self, normal):
        """How long to measure."""
        return max(1.0, normal / 2) if self.quick else normal

    def new_path(self, name):
        return f"{self.folder}/{next(self._numbers)}-{name}"

    def file(self, name, text):
        """The path of a new file with this text."""
        path = self.new_path(name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def kept(self, name, make):
        """What two figures share is made once."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def begin(self, figure, seconds):
        """A figure that takes longer than this makes fewer rounds, never none."""
        self._figure, self._figure_end = figure, time.monotonic() + seconds

    def interleave(self, **sides):
        """Lists of what each side measured. The sides take turns, and begin in turn, so that a slow minute of the machine, and
        what one measurement leaves behind for the next, meet all."""
        results = {name: [] for name in sides}
        for finished in range(self.rounds):
            if finished and time.monotonic() > self._figure_end:
                if self._figure not in self.shortened:
                    self.shortened.append(self._figure)
                break
            for name in list(sides)[:: -1 if finished % 2 else 1]:
                results[name].append(sides[name]())
        return results

    @contextlib.contextmanager
    def scratch(self, source=None, in_memory=False):
        """A folder for one measurement, a copy of `source` if there is one; gone afterwards. In memory, if the machine has
        such a place, no disk takes its time."""
        path = tempfile.mkdtemp(prefix="parley-bench-", dir=MEMORY if in_memory and os.path.isdir(MEMORY) else self.folder)
        try:
            if source:
                shutil.copytree(source, path, ignore=shutil.ignore_patterns("*.sock"), dirs_exist_ok=True)
            yield path
        finally:
            shutil.rmtree(path, ignore_errors=True)

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)
