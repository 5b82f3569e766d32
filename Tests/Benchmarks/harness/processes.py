"""Processes that a benchmark starts: each ends with it, by its own id."""

import ctypes
import os
import resource
import signal
import subprocess
import time

_libc = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1


class Failure(Exception):
    """A tool, the gateway or a peer did not do what was asked; the figure is reported as failed."""


def raise_descriptor_limit():
    """RLIMIT_NOFILE at its hard value, here and in every child."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def _die_with_parent():
    # A driver that is killed leaves nothing running behind. SIGTERM, so that nginx takes its workers with it.
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def tail(path, count=600):
    try:
        with open(path, "rb") as file:
            return file.read()[-count:].decode(errors="replace").strip()
    except OSError:
        return ""


class Process:
    """A child that runs until `stop`. What it says on standard error goes to a file, shown when it fails."""

    def __init__(self, arguments, log, **options):
        self.name = os.path.basename(arguments[0])
        self.log = log
        self._file = open(log, "ab")
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", self._file)
        self.child = subprocess.Popen(arguments, stderr=self._file, preexec_fn=_die_with_parent, **options)
        self.pid = self.child.pid

    def check(self):
        """Raises Failure if it has ended."""
        if self.child.poll() is not None:
            raise Failure(f"{self.name} ended with {self.child.returncode}: {tail(self.log)}")

    def resident(self):
        """Resident memory in bytes."""
        with open(f"/proc/{self.pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024
        raise Failure(f"{self.name} has no resident memory")

    def processor_seconds(self):
        """What all its threads have taken of the processors, in the program and in the kernel."""
        with open(f"/proc/{self.pid}/stat") as file:
            # The name, in brackets, may hold spaces. User and system time are the 14th and 15th field.
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """What /proc tells of its memory (Rss, Pss, Private_Dirty, ...), in bytes."""
        with open(f"/proc/{self.pid}/smaps_rollup") as file:
            return {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in file) if rest.endswith(" kB\n")}

    def stop(self, signal_number=signal.SIGTERM, patience=15):
        if self.child.poll() is None:
            self.child.send_signal(signal_number)
            try:
                self.child.wait(patience)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        for stream in (self.child.stdin, self.child.stdout, self._file):
            if stream:
                stream.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def run(arguments, timeout, **options):
    """What a tool prints. Raises Failure when it fails or takes longer."""
    try:
        done = subprocess.run(
            arguments, capture_output=True, text=True, timeout=timeout, preexec_fn=_die_with_parent, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"{os.path.basename(arguments[0])} took more than {timeout:.0f} s") from None
    except OSError as error:
        raise Failure(f"{arguments[0]}: {error.strerror}") from None
    if done.returncode:
        raise Failure(f"{os.path.basename(arguments[0])} ended with {done.returncode}: {(done.stderr or done.stdout)[-600:].strip()}")
    return done.stdout


def wait_until(ready, what, process=None, seconds=30.0, step=0.01):
    """The first true value of `ready()`."""
    end = time.monotonic() + seconds
    while True:
        value = ready()
        if value:
            return value
        if process:
            process.check()
        if time.monotonic() > end:
            raise Failure(f"{what}: not within {seconds:.0f} s")
        time.sleep(step)
