"""Processor time of a build from an empty folder, by module, so that a module that becomes slow to compile is seen.

Each process of the compiler runs under a small wrapper that notes its module and what it used. The packages come from
SwiftPM's own cache, so nothing is fetched. A build takes minutes: each side has one run, one after the other.

PARLEY_BUILD_BEFORE  the folder of an earlier commit, to build beside this one (`git worktree add`)
PARLEY_BUILD_FLAGS   of `swift build`; by default those of README's first command
"""

import collections
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from ..table import Row, at_most

NAME = "build"
ABOUT = "processor time of a build by module; beside the commit in $PARLEY_BUILD_BEFORE; it takes minutes"
HERE = Path(__file__).parents[4]
FLAGS = "-debug-info-format none --disable-index-store --disable-default-traits --product parley"
# In seconds. What takes less is summed up.
SMALLEST = 3

WRAPPER = """#!/usr/bin/env python3
import os, sys
arguments = sys.argv[1:]
child = os.spawnv(os.P_NOWAIT, {tool!r}, [{tool!r}, *arguments])
_, status, used = os.wait4(child, 0)
module = {module}
with open({log!r}, "a") as log:
    log.write(f"{{module}}\\t{{used.ru_utime + used.ru_stime}}\\n")
sys.exit(os.waitstatus_to_exitcode(status))
"""
SWIFT_MODULE = 'arguments[arguments.index("-module-name") + 1] if "-module-name" in arguments else "others"'
# The object file of a C target lies in a folder with the target's name.
C_MODULE = 'next((part[:-6] for one in arguments for part in one.split("/") if part.endswith(".build")), "others")'


def wrapper(folder, name, tool, module):
    path = folder / name
    path.write_text(WRAPPER.format(tool=tool, module=module, log=str(folder.parent / "used")))
    path.chmod(0o755)
    return str(path)


def processor_time(source, scratch):
    """Seconds of the processors by module, for a build of the sources in an empty folder."""
    compiler = Path(os.path.realpath(shutil.which("swiftc"))).parent
    # The driver looks for its libraries beside the compiler that it is told of.
    (scratch / "bin").mkdir()
    (scratch / "lib").symlink_to(compiler.parent / "lib")
    environment = dict(
        os.environ, CC=wrapper(scratch / "bin", "clang", str(compiler / "clang"), C_MODULE),
        SWIFT_DRIVER_SWIFT_FRONTEND_EXEC=wrapper(scratch / "bin", "swift-frontend", str(compiler / "swift-frontend"), SWIFT_MODULE))
    flags = shlex.split(os.environ.get("PARLEY_BUILD_FLAGS", FLAGS))
    subprocess.run(
        ["swift", "build", "--package-path", source, "--scratch-path", scratch / "build", *flags], env=environment, check=True,
        stdout=subprocess.DEVNULL)
    modules = collections.Counter()
    for line in (scratch / "used").read_text().splitlines():
        module, seconds = line.split("\t")
        modules[module] += float(seconds)
    return modules


def measure(bench):
    earlier = os.environ.get("PARLEY_BUILD_BEFORE")
    if not earlier:
        return []

    def built(source):
        with bench.scratch() as scratch:
            return processor_time(source, Path(scratch))

    ours, peer = built(HERE), built(earlier)

    def row(what, names, target=None):
        return Row(
            what, "s", [sum(ours[name] for name in names)], [sum(peer[name] for name in names)], "the earlier commit", target)

    names = sorted(ours | peer, key=lambda name: -max(ours[name], peer[name]))
    great = [name for name in names if max(ours[name], peer[name]) >= SMALLEST]
    return [
        row("build, all modules", names, at_most(1.03)), *(row(f"build, {name}", [name]) for name in great),
        row("build, smaller modules", [name for name in names if name not in great])]
