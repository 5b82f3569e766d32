"""Cases invented by schemathesis from the document, all operations but the streams (test_streams.py has those) and the socket (test_sandbox.py)."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from document import DOCUMENT, PATH

HERE = pathlib.Path(__file__).parent
CHECKS = ["not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance", "response_schema_conformance",
          "negative_data_rejection", "positive_data_acceptance", "unsupported_method", "allow_header_conformance", "use_after_free",
          "ensure_resource_availability", "documented_status", "problem_has_a_documented_code"]
# For a long run: more cases a phase, and other ones.
EXAMPLES, SEED = os.environ.get("PARLEY_SCHEMATHESIS_EXAMPLES"), os.environ.get("PARLEY_SEED")
STREAMS = [operation["operationId"] for _, _, operation in DOCUMENT.operations if {"x-events", "x-socket"} & set(operation)]


def run(gateway, folder, phases, checks, *more):
    if EXAMPLES:
        more += ("--max-examples", EXAMPLES)
    config = HERE / "schemathesis.toml"
    if SEED:
        more += ("--seed", SEED)
        config = folder / "schemathesis.toml"
        config.write_text((HERE / config.name).read_text().replace("deterministic = true", "deterministic = false"))
    streams = [word for each in STREAMS for word in ("--exclude-operation-id", each)]
    # It keeps its files in the folder where it runs: that must not be the repository.
    done = subprocess.run(
        [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "run", str(PATH), "--url", gateway.origin,
         "--phases", phases, "--checks", ",".join(checks), "--no-color", *streams, *more],
        cwd=folder, text=True, capture_output=True, timeout=None if EXAMPLES else 1200,
        env={**os.environ, "PYTHONPATH": str(HERE), "PARLEY_URL": gateway.origin, "PARLEY_TOKEN": gateway.token,
             "PARLEY_LINKS": str(folder / "links.json")})
    report = done.stdout + done.stderr
    assert done.returncode == 0, report[max(0, report.find("= FAILURES =")) :][:20_000]
    assert gateway.get("/livez", token=None).status == 200
    return report


@pytest.mark.parametrize("phase", ["examples", "coverage", "fuzzing"])
def test_invented_requests(own, tmp_path, phase):
    # A gateway of its own: wrong codes by the dozen make it slow down whoever comes after.
    run(own, tmp_path, phase, CHECKS)


def test_invented_paths_along_the_links(own, tmp_path):
    """What one answer gives is what the next request asks for; test_links.py follows each link once."""
    # A step in between may have removed what an earlier one made: a history that was cleared, a message.
    checks = [check for check in CHECKS if check != "ensure_resource_availability"]
    run(own, tmp_path, "stateful", checks, *(() if EXAMPLES else ("--max-examples", "60")))
    counts = json.loads((tmp_path / "links.json").read_text())
    followed = sum(sum(each.values()) for each in counts.values())
    succeeded = sum(each.get("2xx", 0) for each in counts.values())
    print(f"{len(counts)} links followed, {followed} times, {succeeded} with success")
    assert succeeded >= 10
