"""The real package in a bare Debian 12 without Swift: installed, served, chatted with, restarted, removed.

It needs root, and the package whose path is in PARLEY_PACKAGE: `Tests/run package` makes it."""

import json
import os
import pathlib
import re
import subprocess

import pytest
from gateway import until
from system import System

PACKAGE = os.environ.get("PARLEY_PACKAGE")
pytestmark = pytest.mark.skipif(
    not PACKAGE or os.geteuid() != 0, reason="Tests/run package makes the package, and root installs it")


@pytest.fixture(scope="module")
def system():
    system = System()
    try:
        (system.root / "parley.deb").write_bytes(pathlib.Path(PACKAGE).read_bytes())
        system.inside("apt-get", "update", "-q")
        system.inside("apt-get", "install", "-y", "-q", "--no-install-recommends", "/parley.deb")
        yield system
    finally:
        system.close()


def test_it_is_small_and_brings_swift_along(system):
    size = pathlib.Path(PACKAGE).stat().st_size
    print(f"{size / 1e6:.1f} MB packed")
    for name in system.inside("dpkg", "-L", "parley").stdout.split():
        file = system.root / name.lstrip("/")
        if file.is_file() and file.stat().st_size > 100_000:
            print(f"{file.stat().st_size / 1e6:.2f} MB {name}")
    assert size <= 20_000_000
    libraries = system.inside("ldd", "/usr/bin/parley").stdout
    assert "not found" not in libraries
    assert not any(name in libraries for name in ("swift", "Foundation", "libcurl", "libxml2"))
    # Neither enabled nor started.
    assert not list((system.root / "etc/systemd").rglob("parley*"))


def chat(run):
    """A chat by curl and by the program's own commands, as root over the UNIX socket, without a token."""
    curl = ["curl", "-sS", "--fail-with-body", "--unix-socket", "/run/parley.sock"]
    session = json.loads(run(*curl, "http://localhost/v1/sessions", "--json", '{"channel":"multi","customer":{"id":"ada"}}').stdout)
    place = f"http://localhost/v1/sessions/{session['id']}/threads"
    thread = json.loads(run(*curl, place, "--json", '{"name":"My order"}').stdout)["id"]
    run(*curl, f"{place}/{thread}/messages", "--json", '{"text":"Where is my order?"}')
    run("parley", "desk", "send", thread, "On its way.", "--as", "bo", "--name", "Bo")
    lines = run("parley", "messages", session["id"]).stdout.splitlines()
    assert [line.split("\t")[1:3] for line in lines] == [["ada", "Where is my order?"], ["Bo", "On its way."]]
    return session["id"]


def test_a_chat_without_systemd(system):
    served = system.start("/usr/bin/parley", "serve", "--listen", "unix:/run/parley.sock", "--data", "/srv/parley")
    try:
        until("the gateway", lambda: system.inside("parley", "api", "readyz", "--gateway", "unix:/run/parley.sock", check=False).returncode == 0)
        chat(system.inside)
        # The pages, the guide and the reference are found.
        for path in ("/", "/docs", "/openapi.json", "/docs/Words.md"):
            system.inside("curl", "-sSf", "-o", "/dev/null", "--unix-socket", "/run/parley.sock", f"http://localhost{path}")
    finally:
        served.terminate()
        assert served.wait(20) == 0


def test_as_a_service(system):
    """Under the unit's own limits: system calls, name spaces, a user of its own."""
    if not system.boot():
        pytest.skip("the kernel does not permit a systemd here")
    run = system.run
    assert run("systemctl", "is-enabled", "parley", check=False).stdout.strip() == "disabled"
    run("systemctl", "enable", "--now", "parley")
    assert run("systemctl", "is-active", "parley", "parley.socket").stdout.split() == ["active", "active"]
    shown = run("systemctl", "show", "parley", "-p", "StatusText,User,MainPID,NRestarts,WatchdogUSec").stdout
    print(shown)
    assert "StatusText=Ready at http://127.0.0.1:8787, unix:/run/parley.sock." in shown
    session = chat(run)
    run("curl", "-sSf", "-o", "/dev/null", "http://127.0.0.1:8787/docs")
    # The user nobody gets nothing: neither the socket nor the data.
    assert run("curl", "-sS", "--unix-socket", "/run/parley.sock", "http://localhost/livez", check=False, user=65534).returncode == 7
    assert run("ls", "/var/lib/private/parley", check=False, user=65534).returncode != 0
    # Nothing was refused by the filter of system calls that would be needed.
    journal = run("journalctl", "-u", "parley", "--no-pager").stdout
    assert not re.search("level=(warning|error)|Failed|/auth/", journal), journal
    # A restart refuses no connection, while requests come one after the other. One that meets the end itself may get
    # no answer (52, 56); it is never refused (7).
    done = run("sh", "-c", "systemctl restart parley & i=0; while kill -0 $! 2>/dev/null; do "
               "curl -sSf -o /dev/null http://127.0.0.1:8787/livez; case $? in 0|52|56) i=$((i+1));; *) exit 1; esac; "
               "done; echo $i").stdout
    assert int(done) > 0
    assert len(run("parley", "messages", session).stdout.splitlines()) == 2
    # A gateway that hangs is ended by the watchdog and started anew.
    run("mkdir", "-p", "/run/systemd/system/parley.service.d")
    run("sh", "-c", "printf '[Service]\\nWatchdogSec=2\\n' > /run/systemd/system/parley.service.d/test.conf")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "parley")
    run("systemctl", "kill", "--signal=SIGSTOP", "parley")
    until("the watchdog", lambda: run("systemctl", "show", "parley", "-p", "NRestarts").stdout.strip() != "NRestarts=0"
          and run("systemctl", "is-active", "parley", check=False).stdout.strip() == "active", 60)
    assert len(run("parley", "messages", session).stdout.splitlines()) == 2
    # As the guide says: a page for the browser of whoever may read the data.
    page = run("parley", "open", "--print", "--gateway", "http://127.0.0.1:8787", "--token-file",
               "/var/lib/private/parley/token").stdout
    assert page.startswith("http://127.0.0.1:8787/auth/")
    run("systemctl", "disable", "--now", "parley", "parley.socket")


def test_as_a_users_service(system):
    if not system.first and not system.boot():
        pytest.skip("the kernel does not permit a systemd here")
    system.run("useradd", "--create-home", "--uid", "1000", "ada")
    system.run("systemctl", "start", "user@1000")

    def run(*command):
        return system.run(*command, user=1000, home="/home/ada")

    run("systemctl", "--user", "enable", "--now", "parley")
    shown = run("systemctl", "--user", "show", "parley", "-p", "StatusText").stdout
    assert "Ready at http://127.0.0.1:8787, unix:/run/user/1000/parley.sock." in shown
    assert run("parley", "status").returncode == 0
    assert run("parley", "open", "--print").stdout.startswith("http://127.0.0.1:8787/auth/")
    assert (system.run("stat", "--format", "%U %a", "/home/ada/.local/share/parley/token").stdout) == "ada 600\n"
    run("systemctl", "--user", "restart", "parley")
    assert "/auth/" not in system.run("journalctl", "--no-pager").stdout
    run("systemctl", "--user", "disable", "--now", "parley")


def test_it_is_removed(system):
    listed = system.inside("dpkg", "-L", "parley").stdout.split()
    system.inside("apt-get", "purge", "-y", "-q", "parley")
    left = [name for name in listed if (system.root / name.lstrip("/")).is_file()]
    assert left == []
    assert subprocess.run(["test", "-e", system.root / "usr/share/parley"]).returncode == 1
    # What was said stays.
    assert (system.root / "srv/parley/parley.sqlite").exists()
