"""The package builds as it stands: also as a release, where only test targets may see what is internal."""

import json
import pathlib
import re
import subprocess

from gateway import swift_environment

ROOT = pathlib.Path(__file__).parents[2]


def test_ordinary_targets_do_not_import_testable():
    """`@testable import` outside of a test target breaks `swift build -c release`."""
    dump = subprocess.run(
        ["swift", "package", "--ignore-lock", "dump-package"], cwd=ROOT, env=swift_environment(), capture_output=True, text=True, check=True, timeout=120
    )
    targets = [t for t in json.loads(dump.stdout)["targets"] if t["type"] in ("regular", "executable")]
    assert {"parley", "WireSupport"} <= {t["name"] for t in targets}
    testable = [
        f"{source.relative_to(ROOT)}: {line}"
        for target in targets
        for source in (ROOT / (target.get("path") or f"Sources/{target['name']}")).rglob("*.swift")
        for line in source.read_text().splitlines()
        if re.match(r"\s*@testable\b", line)
    ]
    assert testable == []
