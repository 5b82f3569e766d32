"""The examples in the doc comments of Sources compile, against the modules that `swift build` has made."""

import re
import subprocess
from pathlib import Path

import pytest
from gateway import binary

ROOT = Path(__file__).parents[2]
# The targets, and what an example of each may use besides it.
TARGETS = {
    "Formats": [], "Bounds": [], "ChatModel": ["Formats"], "ChatStore": ["ChatModel", "Formats"],
    "Chat": ["ChatStore", "ChatModel", "Formats"], "LocalService": ["Chat", "ChatStore", "ChatModel", "Formats"],
    "MicroHTTP": [], "HTTPRouting": ["MicroHTTP", "Formats"], "HTTPClientPort": [],
    "Outbound": ["HTTPClientPort", "ChatStore", "ChatModel", "Formats"],
}


def examples(target):
    """The examples of a target: where each stands, and its lines."""
    for file in sorted((ROOT / "Sources" / target).rglob("*.swift")):
        lines = file.read_text().split("\n")
        inside = None
        for number, line in enumerate(lines, 1):
            if re.fullmatch(r" */// ```swift", line):
                inside = (f"{file.relative_to(ROOT)}:{number}", [])
            elif inside and re.fullmatch(r" */// ```", line):
                yield inside
                inside = None
            elif inside:
                inside[1].append(re.sub(r"^ */// ?", "", line))


@pytest.fixture(scope="session")
def modules():
    """The folder of the modules, beside the program."""
    folder = Path(binary()).resolve().parent / "Modules"
    if not folder.exists():
        pytest.skip("the program was not built here, so there are no modules beside it")
    return folder


@pytest.mark.parametrize("target", [target for target in TARGETS if any(examples(target))])
def test_each_example_compiles(target, modules, tmp_path):
    found = list(examples(target))
    imports = "\n".join(f"import {name}" for name in [target, *TARGETS[target]])
    bodies = [
        f'func example{number}() async throws {{\n#sourceLocation(file: "{place.split(":")[0]}", line: {int(place.split(":")[1]) + 1})\n'
        + "\n".join(code) + "\n#sourceLocation()\n}\n"
        for number, (place, code) in enumerate(found)]
    source = tmp_path / "examples.swift"
    source.write_text(imports + "\n" + "\n".join(bodies))
    build = ROOT / ".build"
    maps = [
        *(ROOT / "Sources").glob("C*/**/module.modulemap"), *build.glob("checkouts/*/Sources/*/include/module.modulemap"),
        *modules.parent.glob("*.build/module.modulemap")]
    flags = subprocess.run(
        ["pkg-config", "--cflags", "sqlite3", "libmicrohttpd", "nettle", "zlib"], capture_output=True, text=True, check=True)
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", "-package-name", re.sub(r"\W", "_", ROOT.name.lower()), "-I", modules,
         *(word for path in maps for word in ["-Xcc", f"-fmodule-map-file={path}"]), *flags.stdout.split(), source],
        capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_thirty_types_have_an_example():
    assert sum(len(list(examples(target))) for target in TARGETS) >= 30
