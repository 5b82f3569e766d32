"""The Debian package and the archive for other systems, made from the binary that is tested here: what is in them, that
the tools of Debian have no word against the package, and that they are made twice alike. `Tests/run package` makes the
real ones and installs them: in the archive that is made here, the program is not linked for other systems."""

import gzip
import hashlib
import io
import json
import pathlib
import re
import shutil
import stat
import subprocess
import tarfile

import pytest
from gateway import binary, swift_environment
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

ROOT = pathlib.Path(__file__).parents[2]
#: What lintian says because the test's binary is no release: it is linked with the toolchain's libraries, at their
#: place. And of the compression, which is newer than lintian: the real package has another.
ONLY_HERE = {"custom-library-search-path", "malformed-deb-archive"}


def make(folder):
    """Makes the package and the archive, and returns copies of them."""
    done = subprocess.run(
        ["swift", "package", "--ignore-lock", "--disable-automatic-resolution", "package-debian", "--binary", binary(),
         "--compression", "zstd"],
        cwd=ROOT, env=swift_environment(SOURCE_DATE_EPOCH="1750000000"), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "needs a Swift runtime" in done.stdout + done.stderr, "nobody is told that this binary is not for others"
    folder.mkdir()
    return [pathlib.Path(shutil.copy(name, folder)) for name in done.stdout.split()[-2:]]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make(tmp_path_factory.mktemp("package") / "first")


@pytest.fixture(scope="module")
def package(made):
    return made[0]


@pytest.fixture(scope="module")
def archive(made):
    return made[1]


@pytest.fixture(scope="module")
def unpacked(archive):
    """The folder that is in the archive."""
    subprocess.run(["tar", "-xzf", archive, "-C", archive.parent], check=True)
    return archive.parent / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def tree(package):
    folder = package.parent / "tree"
    subprocess.run(["dpkg-deb", "--raw-extract", package, folder], check=True)
    return folder


def field(package, name):
    return subprocess.run(["dpkg-deb", "--field", package, name], capture_output=True, text=True, check=True).stdout.strip()


def test_the_same_binary_gives_the_same_bytes(made, tmp_path):
    for again, first in zip(make(tmp_path / "second"), made):
        assert hashlib.sha256(again.read_bytes()).digest() == hashlib.sha256(first.read_bytes()).digest()


def test_the_control_file(package):
    version = subprocess.run([binary(), "--version"], capture_output=True, text=True, check=True).stdout.strip()
    architecture = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
    assert package.name == f"parley_{version}-1_{architecture}.deb"
    assert field(package, "Package") == "parley" and field(package, "Version") == f"{version}-1"
    assert field(package, "Architecture") == architecture
    depends = {entry.split()[0] for entry in field(package, "Depends").split(", ")}
    assert {"libc6", "libmicrohttpd12", "libsqlite3-0", "liblz4-1", "libnettle8", "libjemalloc2"} <= depends
    assert not {name for name in depends if re.match("libcurl|libxml2|libpq", name)}
    assert "libpq5" in field(package, "Suggests").split(", ")


def test_nothing_runs_when_it_is_installed(tree):
    assert {file.name for file in (tree / "DEBIAN").iterdir()} == {"control", "md5sums", "conffiles"}
    assert (tree / "DEBIAN/conffiles").read_text() == "/etc/default/parley\n"
    for line in (tree / "DEBIAN/md5sums").read_text().splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.md5((tree / name).read_bytes()).hexdigest() == digest, name


def test_what_is_in_it(package):
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True).stdout
    members = {member.name.removeprefix("./"): member for member in tarfile.open(fileobj=io.BytesIO(data))}
    assert all((member.uid, member.gid, member.mtime <= 1750000000) == (0, 0, True) for member in members.values())
    assert {stat.S_IMODE(member.mode) for member in members.values() if member.isdir()} == {0o755}
    files = {name: member for name, member in members.items() if not member.isdir()}
    assert all(member.isfile() for member in files.values())
    assert files.pop("usr/bin/parley").mode == 0o755
    assert {member.mode for member in files.values()} == {0o644}
    # All that the pages, the guide and the reference are made of; nothing of the tests and no hidden file.
    for folder, place in (("web", "web"), ("Sources/parley/Parley.docc", "docs"), ("openapi", "openapi")):
        tracked = subprocess.run(["git", "ls-files", folder], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        wanted = {f"usr/share/parley/{place}{name.removeprefix(folder)}" for name in tracked}
        assert wanted == {name for name in files if name.startswith(f"usr/share/parley/{place}/")}
    assert {name for name in files if not name.startswith("usr/share/parley/")} == {
        "etc/default/parley", "lib/systemd/system/parley.service", "lib/systemd/system/parley.socket",
        "usr/lib/systemd/user/parley.service", "usr/lib/systemd/user/parley.socket",
        "usr/share/bash-completion/completions/parley", "usr/share/zsh/vendor-completions/_parley",
        "usr/share/fish/vendor_completions.d/parley.fish", "usr/share/man/man1/parley.1.gz",
        "usr/share/lintian/overrides/parley", "usr/share/doc/parley/copyright", "usr/share/doc/parley/NOTICE.gz",
        "usr/share/doc/parley/changelog.Debian.gz", "usr/share/doc/parley/README.md.gz",
        "usr/share/doc/parley/parley.spdx.json"}


def test_what_is_in_the_archive(archive, package):
    members = tarfile.open(archive).getmembers()
    top = archive.name.removesuffix(".tar.gz")
    assert re.fullmatch(r"parley-[\d.]+-linux-\w+", top)
    assert {(member.uid, member.gid, member.uname, member.mtime) for member in members} == {(0, 0, "", 1750000000)}
    assert {member.mode for member in members if member.isdir()} == {0o755}
    files = {member.name.removeprefix(f"{top}/"): member for member in members if not member.isdir()}
    assert all(member.isfile() for member in files.values())
    assert files.pop("bin/parley").mode == 0o755
    assert {member.mode for member in files.values()} == {0o644}
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", package], capture_output=True, check=True).stdout
    packed = {member.name.removeprefix("./usr/") for member in tarfile.open(fileobj=io.BytesIO(data)) if not member.isdir()}
    assert ({name for name in files if name.startswith("share/parley/")}
            == {name for name in packed if name.startswith("share/parley/")})
    assert {name for name in files if not name.startswith("share/parley/")} == {
        "INSTALL", "LICENSE", "lib/systemd/system/parley.service", "lib/systemd/system/parley.socket",
        "lib/systemd/user/parley.service", "lib/systemd/user/parley.socket",
        "share/bash-completion/completions/parley", "share/zsh/site-functions/_parley",
        "share/fish/vendor_completions.d/parley.fish", "share/man/man1/parley.1.gz", "share/doc/parley/copyright",
        "share/doc/parley/NOTICE", "share/doc/parley/README.md", "share/doc/parley/default",
        "share/doc/parley/parley.spdx.json", "share/doc/parley/licences/Apache-2.0"}


def test_the_texts_of_the_archive(unpacked):
    note = (unpacked / "INSTALL").read_text()
    assert re.search(r"^It needs these packages of Debian:\nlib", note, re.MULTILINE)
    assert max(map(len, note.splitlines())) <= 80
    for unit in ("system/parley.service", "user/parley.service"):
        assert "\nExecStart=/usr/local/bin/parley serve" in (unpacked / "lib/systemd" / unit).read_text()
    for file in unpacked.rglob("*"):
        if file.is_file() and file.parent.name != "bin":
            assert str(ROOT).encode() not in file.read_bytes(), f"{file} says where it was made"


@pytest.mark.parametrize("kind, prefix", [("tree", "usr/"), ("unpacked", "")])
def test_the_program_is_stripped_and_runs_from_there(kind, prefix, request):
    tree = request.getfixturevalue(kind)
    program = tree / f"{prefix}bin/parley"
    sections = subprocess.run(["readelf", "--sections", "--wide", program], capture_output=True, text=True, check=True).stdout
    assert ".symtab" not in sections and ".debug" not in sections
    # It finds its files beside itself.
    settings = subprocess.run([program, "config"], capture_output=True, text=True, check=True, cwd="/").stdout
    for place in ("web", "docs", "openapi/openapi.yaml"):
        assert f"{tree}/{prefix}share/parley/{place}" in settings


def test_lintian_finds_no_fault(package):
    done = subprocess.run(["lintian", "--allow-root", "--tag-display-limit", "0", package], capture_output=True, text=True)
    found = [line for line in done.stdout.splitlines() if re.match("[EW]: ", line) and line.split()[2] not in ONLY_HERE]
    assert found == [], done.stdout
    assert "malformed-deb-archive" in done.stdout, f"lintian has not looked: {done.stdout}{done.stderr}"


def test_the_manual_page(tree, tmp_path):
    text = gzip.decompress((tree / "usr/share/man/man1/parley.1.gz").read_bytes()).decode()
    (tmp_path / "parley.1").write_text(text)
    done = subprocess.run(["mandoc", "-T", "lint", tmp_path / "parley.1"], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout == "", done.stdout
    shown = subprocess.run(["mandoc", "-T", "utf8", tmp_path / "parley.1"], capture_output=True, text=True, check=True).stdout
    shown = re.sub(".\b", "", shown)
    commands = json.loads(subprocess.run([binary(), "--experimental-dump-help"], capture_output=True, check=True).stdout)["command"]

    def check(command, name):
        for part in command.get("subcommands", []):
            if part["commandName"] == "help":
                continue
            if part.get("subcommands"):
                check(part, f"{name} {part['commandName']}")
                continue
            assert f"   {name} {part['commandName']}" in shown
            for argument in part["arguments"]:
                for option in argument.get("names", []):
                    assert option["name"] in ("help", "h", "version") or f"-{option['name']}" in shown

    check(commands, "parley")


@pytest.mark.parametrize("shell, place, check", [
    ("bash", "bash-completion/completions/parley", "source {}; complete -p parley"),
    ("zsh", "zsh/vendor-completions/_parley", "zsh -n {}"), ("fish", "fish/vendor_completions.d/parley.fish", "fish -n {}")])
def test_completions(tree, shell, place, check):
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    done = subprocess.run(["bash", "-c", check.format(tree / "usr/share" / place)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_units_are_hardened(tree):
    for unit in ("lib/systemd/system/parley.service", "usr/lib/systemd/user/parley.service"):
        text = (tree / unit).read_text()
        assert "Type=notify" in text and "WatchdogSec=30" in text and "ExecStart=/usr/bin/parley serve" in text
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=15", tree / "lib/systemd/system/parley.service"],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    # Settings that systemd does not know would be ignored: of its words, only those about what is not installed remain.
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(tree / "lib/systemd/system").iterdir()], capture_output=True, text=True)
    words = [line for line in done.stderr.splitlines() if "parley" in line and "is not executable" not in line]
    assert words == []


@pytest.mark.parametrize("kind, prefix", [("tree", "usr/"), ("unpacked", "")])
def test_the_bill_of_materials(kind, prefix, request, package):
    tree = request.getfixturevalue(kind)
    documents = tree / f"{prefix}share/doc/parley"
    file = documents / "parley.spdx.json"
    assert validate_full_spdx_document(parse_file(str(file))) == []
    bill = json.loads(file.read_text())
    packages = {entry["name"]: entry for entry in bill["packages"]}
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    for pin in pins:
        entry = packages[pin["identity"]]
        assert entry["versionInfo"] == pin["state"]["version"]
        assert entry["downloadLocation"].endswith("@" + pin["state"]["revision"])
        locator = entry["externalRefs"][0]["referenceLocator"]
        assert re.fullmatch(rf"pkg:swift/github\.com/[^/]+/[^/@]+@{re.escape(pin['state']['version'])}", locator)
    assert {entry.split()[0] for entry in field(package, "Depends").split(", ")} <= set(packages)
    assert "6." in packages["Swift runtime and Foundation"]["versionInfo"]
    program = hashlib.sha256((tree / f"{prefix}bin/parley").read_bytes()).hexdigest()
    assert packages["parley"]["checksums"][0]["checksumValue"] == program
    # What is linked in has its licence in the copyright file, and the text of that licence is there.
    rights = (documents / "copyright").read_text()
    for entry in bill["packages"]:
        for licence in entry["licenseDeclared"].split(" AND "):
            if licence != "NOASSERTION":
                assert re.search(rf"^License: {re.escape(licence)}\n ", rights, re.MULTILINE), licence
    notices = (gzip.decompress((documents / "NOTICE.gz").read_bytes()) if prefix else (documents / "NOTICE").read_bytes())
    assert b"==== swift-nio\n" in notices
