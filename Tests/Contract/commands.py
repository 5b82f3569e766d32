"""Commands of the binary, run as a shell runs them: without a terminal, in the data folder of a gateway."""

import os
import queue
import subprocess
import threading

from gateway import DEADLINE, binary


def environment(gateway=None, **more):
    """The variables of a shell in which nothing of Parley is set but the data folder."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("PARLEY_", "XDG_RUNTIME"))}
    if gateway:
        own["PARLEY_DATA"] = str(gateway.folder)
    return {**own, **more}


def parley(gateway, *arguments, text="", **more):
    """Runs a command to its end. `text` is its standard input."""
    return subprocess.run(
        [binary(), *arguments], input=text, capture_output=True, text=True, timeout=DEADLINE,
        env=environment(gateway, **more))


def answer(gateway, *arguments, **more):
    """What a command that must succeed without a word prints."""
    done = parley(gateway, *arguments, **more)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


class Running:
    """A command that goes on: its lines are taken with a deadline."""

    def __init__(self, gateway, *arguments, **more):
        self.process = subprocess.Popen(
            [binary(), *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=environment(gateway, **more))
        self._lines = {}
        for name in ("stdout", "stderr"):
            self._lines[name] = queue.Queue()
            threading.Thread(target=self._read, args=(name,), daemon=True).start()

    def _read(self, name):
        for line in getattr(self.process, name):
            self._lines[name].put(line.rstrip("\n"))
        self._lines[name].put(None)

    def line(self, name="stdout"):
        """The next line; None at the end."""
        return self._lines[name].get(timeout=DEADLINE)

    def told(self, words):
        """Waits for a line of standard error with these words."""
        while (line := self.line("stderr")) is not None:
            if words in line:
                return line
        raise AssertionError(f"it never said {words!r}")

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self):
        return self.process.wait(DEADLINE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()
