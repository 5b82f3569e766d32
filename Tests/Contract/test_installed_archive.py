"""The real archive on systems that are older and newer than the one it was made on, of which it needs the C library only.

It needs root, and the archive whose path is in PARLEY_ARCHIVE: `Tests/run package` makes it."""

import json
import os
import pathlib
import re
import subprocess
import urllib.error
import urllib.request

import pytest
from gateway import until
from system import System, ubuntu_keyring

ROOT = pathlib.Path(__file__).parents[2]
ARCHIVE = os.environ.get("PARLEY_ARCHIVE")
pytestmark = pytest.mark.skipif(
    not ARCHIVE or os.geteuid() != 0, reason="Tests/run package makes the archive, and root makes the systems")
DEBIAN, UBUNTU = "http://deb.debian.org/debian", "http://archive.ubuntu.com/ubuntu"
#: One for all releases: debootstrap may be older than a release.
SCRIPTS = {DEBIAN: "sid", UBUNTU: "gutsy"}
#: The C library with its parts, what loads it, and the library of the compiler, which it depends on.
OF_EACH_SYSTEM = r"lib(c|m|dl|pthread)\.so\.\d|ld-linux-.*|libgcc_s\.so\.1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("archive")
    subprocess.run(["tar", "-xzf", ARCHIVE, "-C", place], check=True)
    return next(place.iterdir())


def system(name, mirror, folder, tmp_path):
    """A system with the archive unpacked in /opt; skips if its release cannot be had."""
    options = []
    if not os.environ.get("PARLEY_ROOTS"):
        try:
            urllib.request.urlopen(f"{mirror}/dists/{name}/Release", timeout=30).close()
        except urllib.error.URLError as error:
            pytest.skip(f"{mirror} has no {name}: {error}")
        if mirror == UBUNTU:
            options = [f"--keyring={ubuntu_keyring(tmp_path)}"]
    system = System(name, (mirror, f"/usr/share/debootstrap/scripts/{SCRIPTS[mirror]}"), options, unpacked=True)
    # Systems that are only unpacked lack some folders.
    for place in ("opt", "run", "srv"):
        (system.root / place).mkdir(exist_ok=True)
    subprocess.run(["cp", "-a", folder, system.root / "opt/parley"], check=True)
    return system


def test_it_asks_for_an_old_c_library_and_nothing_else(folder):
    program = folder / "bin/parley"
    print(f"{program.stat().st_size / 1e6:.1f} MB, packed {pathlib.Path(ARCHIVE).stat().st_size / 1e6:.1f} MB")
    dynamic = subprocess.run(["readelf", "-dW", program], capture_output=True, text=True, check=True).stdout
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    assert [name for name in needed if not re.fullmatch(OF_EACH_SYSTEM, name)] == []
    assert "RUNPATH" not in dynamic and "RPATH" not in dynamic
    shown = subprocess.run(["readelf", "-VW", program], capture_output=True, text=True, check=True).stdout
    newest = max(tuple(map(int, version.split("."))) for version in re.findall(r"GLIBC_([\d.]+)", shown))
    assert newest <= (2, 31)
    assert f"glibc {newest[0]}.{newest[1]} or newer" in (folder / "INSTALL").read_text()
    # Nothing says where it was built.
    assert str(ROOT).encode() not in program.read_bytes()


def test_the_bill_names_what_is_linked_in(folder):
    documents = folder / "share/doc/parley"
    bill = json.loads((documents / "parley.spdx.json").read_text())
    packages = {entry["SPDXID"]: entry for entry in bill["packages"]}
    linked = {packages[relation["relatedSpdxElement"]]["name"]: packages[relation["relatedSpdxElement"]]
              for relation in bill["relationships"] if relation["relationshipType"] == "STATIC_LINK"}
    for library in json.loads((ROOT / "Sources/DebianPackage/archive/linked.json").read_text()):
        entry = linked[library["name"]]
        assert entry["licenseDeclared"] == library["licence"]
        # The sources of what may be changed and linked anew.
        source, version = re.fullmatch(
            r"https://snapshot\.debian\.org/package/([^/]+)/([^/]+)/", entry["downloadLocation"]).groups()
        installed = subprocess.run(
            ["dpkg-query", "--show", "--showformat=${source:Package} ${source:Version}\n"], capture_output=True, text=True, check=True)
        assert f"{source} {version}" in installed.stdout.splitlines()
        assert "opyright" in (documents / "libraries" / library["name"]).read_text()
    dynamic = {packages[relation["relatedSpdxElement"]]["name"]
               for relation in bill["relationships"] if relation["relationshipType"] == "DYNAMIC_LINK"}
    assert dynamic == {"libc6", "libgcc-s1"}


def test_the_allocator_is_linked_in_for_all_with_its_settings(folder):
    # The C library itself must take memory from there: the program frees what `strdup` gives.
    shown = subprocess.run(["nm", "-D", "--defined-only", folder / "bin/parley"], capture_output=True, text=True, check=True).stdout
    assert {"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign", "malloc_usable_size"} <= set(
        re.findall(r" T (\w+)$", shown, re.MULTILINE))
    done = subprocess.run(
        [folder / "bin/parley", "--version"], env={"MALLOC_CONF": "stats_print:true"}, capture_output=True, text=True, check=True)
    assert re.search(r"opt\.narenas: 1\b", done.stderr) and "opt.background_thread: true" in done.stderr, done.stderr[:2000]


@pytest.mark.parametrize("name, mirror", [
    ("bullseye", DEBIAN), ("bookworm", DEBIAN), ("trixie", DEBIAN), ("focal", UBUNTU), ("jammy", UBUNTU), ("noble", UBUNTU)])
def test_a_chat(name, mirror, folder, tmp_path):
    here = system(name, mirror, folder, tmp_path)
    try:
        def run(*command, check=True):
            return here.inside("/opt/parley/bin/parley", *command, "--gateway", "unix:/run/parley.sock", check=check)

        served = here.start("/opt/parley/bin/parley", "serve", "--listen", "unix:/run/parley.sock", "--data", "/srv/parley")
        try:
            until("the gateway", lambda: served.poll() is not None or run("api", "readyz", check=False).returncode == 0)
            assert served.poll() is None, here.inside("/opt/parley/bin/parley", "--version").stdout
            assert "unix:/run/parley.sock" in run("status").stdout
            session = run("api", "v1/sessions", "-f", "channel=multi", "-f", 'customer:={"id":"ada"}', "-o", "id").stdout.strip()
            place = f"v1/sessions/{session}/threads"
            thread = run("api", place, "-f", "name=My order", "-o", "id").stdout.strip()
            run("api", f"{place}/{thread}/messages", "-f", "text=Where is my order?")
            run("desk", "send", thread, "On its way.", "--as", "bo", "--name", "Bo")
            lines = run("messages", session).stdout.splitlines()
            assert [line.split("\t")[1:3] for line in lines] == [["ada", "Where is my order?"], ["Bo", "On its way."]]
            # Pages, guide and reference are found beside the program.
            for path in ("docs", "openapi.json", "docs/Words.md"):
                assert run("api", path).stdout
            libraries = pathlib.Path(f"/proc/{served.pid}/maps").read_text()
            assert not re.search("jemalloc|microhttpd|nettle|sqlite3|lz4|gnutls|libz|stdc", libraries)
        finally:
            served.terminate()
            assert served.wait(20) == 0
        checked = here.inside("/opt/parley/bin/parley", "store", "check", "--data", "/srv/parley")
        assert "The store keeps all its rules." in checked.stderr
    finally:
        here.close()


def test_a_system_that_is_too_old_hears_what_it_lacks(folder, tmp_path):
    """Ubuntu 18.04 has glibc 2.27."""
    here = system("bionic", UBUNTU, folder, tmp_path)
    try:
        done = here.inside("/opt/parley/bin/parley", "--version", check=False)
        needed = re.search(r"glibc ([\d.]+) or newer", (folder / "INSTALL").read_text()).group(1)
        assert done.returncode != 0 and f"version `GLIBC_{needed}' not found" in done.stderr
    finally:
        here.close()
