"""The commands beside `serve`: what they offer, and what they say when they cannot do it."""

import os
import re
import subprocess

import pytest
from gateway import binary


def run(*arguments, **environment):
    return subprocess.run([binary(), *arguments], capture_output=True, text=True, timeout=30, env={**os.environ, **environment})


REACH = {"--gateway", "--token-file", "--data", "--config"}
USUAL = REACH | {"--output", "--quiet"}


@pytest.mark.parametrize("command, own", [
    ("token", {"--data", "--config", "--rotate", "--retire"}), ("handover", {"--data", "--config"}), ("routes", {"--json"}), ("open", REACH | {"--print"}), ("status", USUAL),
    ("api", REACH | {"--field", "--query", "--input", "--content-type", "--all-pages", "--include", "--output"}),
    ("sessions list", USUAL), ("sessions new", USUAL | {"--channel", "--service", "--as", "--first-name", "--last-name"}),
    ("threads", USUAL | {"--state", "--since", "--until"}), ("messages", USUAL | {"--since", "--until"}), ("send", USUAL | {"--file", "--reply-to", "--id"}),
    ("transcript", USUAL | {"--desk", "--format", "--utc-offset"}),
    ("export", REACH | {"--from", "--until", "--channel", "--format", "--output", "--quiet"}),
    ("import", USUAL | {"--format", "--channel"}),
    ("customer export", USUAL | {"--channel", "--service", "--notes"}),
    ("customer erase", USUAL | {"--channel", "--service", "--yes"}),
    ("record", USUAL | {"--since", "--redact"}), ("scenario run", USUAL | {"--speed", "--report", "--set", "--times", "--parallel", "--keep"}),
    ("chat", USUAL | {"--channel", "--as", "--new"}), ("desk assign", USUAL | {"--channel", "--customer", "--as", "--name"}),
    ("desk threads", USUAL | {"--state", "--order", "--agent", "--tag", "--snoozed", "--channel", "--since", "--until"}),
    ("desk counts", USUAL | {"--channel"}), ("desk claim", USUAL | {"--channel", "--customer", "--as", "--name"}),
    ("desk snooze", USUAL | {"--channel", "--customer", "--until", "--for", "--through-replies"}),
    ("desk tag", USUAL | {"--channel", "--customer", "--none"}), ("desk tags", USUAL), ("desk replies", USUAL),
    ("desk note", USUAL | {"--channel", "--customer", "--as", "--name"}),
    ("desk report", USUAL | {"--by", "--time-zone", "--channel", "--since", "--until"}),
    ("mcp", REACH | {"--customer", "--read-only", "--as", "--name", "--channel"}),
    ("requests", USUAL | {"--follow"}), ("faults add", USUAL | {
        "--platform", "--customer", "--event", "--channel", "--socket", "--nth", "--probability", "--seed", "--for", "--count", "--milliseconds", "--error-code"}),
    ("faults scripts list", USUAL | {"--platform"}), ("faults scripts start", USUAL | {"--platform"}),
    ("faults scripts show", USUAL), ("faults scripts stop", USUAL),
    ("sandbox sockets", USUAL), ("sandbox frames", USUAL | {"--platform", "--customer", "--socket", "--direction", "--event", "--after", "--follow"}),
    ("sandbox reset", USUAL | {"--yes", "--platform"}), ("store check", {"--data", "--config", "--store", "--quiet"}),
    ("store backup", {"--data", "--config", "--quiet"}), ("store restored", {"--data", "--config", "--store", "--quiet"}),
    ("store copy", {"--from", "--to", "--quiet"}),
    ("wait", USUAL | {"--desk", "--all", "--types", "--author", "--text", "--after", "--timeout"}),
    ("tail", USUAL | {
        "--desk", "--all", "--types", "--after", "--since", "--no-follow", "--count", "--idle", "--cursor-file", "--fail-on-reset"}),
])
def test_help_lists_the_flags_of_the_command(command, own):
    done = run(*command.split(), "--help")
    assert done.returncode == 0
    options, _, shared = done.stdout.partition("\nOPTIONS:")[2].partition("GLOBAL OPTIONS:")
    found = set(re.findall(r"^  (?:-[a-z], )?(--[a-z-]+)", options, re.MULTILINE)) | set(re.findall(r"--[a-z-]+", shared.split("\n\n")[0]))
    assert found - {"--version", "--help"} == own


def test_open_without_a_desktop_prints_the_address_and_one_line(gw):
    done = run("open", "--data", str(gw.folder), DISPLAY="", WAYLAND_DISPLAY="", BROWSER="/bin/false")
    assert done.returncode != 0
    assert re.fullmatch(rf"{gw.origin}/auth/[A-Za-z0-9_-]+\n", done.stdout)
    assert done.stderr.count("\n") == 1 and "address" in done.stderr


def test_open_print_prints_the_address_alone(gw):
    done = run("open", "--print", "--data", str(gw.folder))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{gw.origin}/auth/")
