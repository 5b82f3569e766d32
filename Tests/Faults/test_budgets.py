"""What one request may cost: allocations, statements and syncs, counted. No time is measured.

The counts are those of the release build: a debug build allocates more, and reads rows again to compare them with what
its writer has kept. Whoever makes a request cheaper lowers its budget.
"""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from serving import Gateway, binary

BENCHMARKS = pathlib.Path(__file__).parents[1] / "Benchmarks"
sys.path.insert(0, str(BENCHMARKS))
from harness.calls import Calls, counted  # noqa: E402

# A little more than was counted: in the background the log is looked at once a second.
BUDGETS = {
    "send": {"allocations": 186, "bytes": 45_000, "statements": 12.3, "prepared": 0.1, "syncs": 1.2},
    "page": {"allocations": 12, "bytes": 1_300, "statements": 0.1, "syncs": 0.1},
    "page, 304": {"allocations": 13, "bytes": 1_400, "statements": 0.1, "syncs": 0.1},
    "delivery": {"allocations": 1, "bytes": 300, "statements": 0.1, "syncs": 0.1},
}

pytestmark = pytest.mark.skipif(
    "/debug/" in os.path.realpath(binary()), reason="the budgets are those of the release build")


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("calls")
    library = folder / "calls.so"
    # The Swift toolchain brings a clang.
    compiler = shutil.which("cc") or shutil.which("clang")
    assert compiler, "no C compiler is on PATH"
    source = BENCHMARKS / "counters" / "calls.c"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    calls = Calls(str(library), str(folder / "counts"))
    gateway = Gateway(env={**os.environ, **calls.environment})
    try:
        gateway.start()
        yield counted(calls, gateway.port, gateway.token)
    finally:
        gateway.close()


@pytest.mark.parametrize("operation", BUDGETS)
def test_no_budget_is_exceeded(counts, operation):
    found = counts[operation]
    exceeded = {name: (found[name], most) for name, most in BUDGETS[operation].items() if found[name] > most}
    assert not exceeded, f"{operation}: counted, allowed: {exceeded}"


def test_the_calls_are_counted(counts):
    # A gateway that is linked in another way would pass with counts of nothing.
    assert counts["send"]["allocations"] > 50 and counts["send"]["statements"] > 5 and counts["send"]["syncs"] >= 1
