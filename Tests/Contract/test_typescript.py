"""A program in TypeScript against the library's types: as a package, by tsc; and straight from a gateway, by Deno. And the
types of the library's own modules, by both: tsc is the oldest compiler that must do, and Deno has the newest."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
WEB = HERE.parents[1] / "web"
PROGRAM = (HERE / "typed.ts").read_text()
DENO = shutil.which("deno", path=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
STRICT = {"strict": True, "lib": ["es2022", "dom", "dom.iterable"]}
OPTIONS = {**STRICT, "noEmit": True, "target": "es2022", "types": [], "module": "nodenext", "moduleResolution": "nodenext"}
with_tsc = pytest.mark.skipif(not shutil.which("tsc"), reason="there is no tsc here (Debian: node-typescript)")
with_deno = pytest.mark.skipif(not DENO, reason="there is no Deno here (PyPI: deno)")


def check(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "DENO_DIR": str(folder / "deno"), "NO_COLOR": "1"})
    assert done.returncode == 0, done.stdout + done.stderr


@with_tsc
def test_tsc_takes_the_folder_as_a_package(tmp_path):
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/parley-web").symlink_to(WEB)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "typed.ts").write_text(PROGRAM)
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "files": ["typed.ts"]}))
    check(["tsc", "-p", "."], tmp_path)


@with_deno
def test_deno_finds_the_types_at_the_gateway(gw, tmp_path):
    (tmp_path / "typed.ts").write_text(PROGRAM.replace("'parley-web'", f"'{gw.origin}/parley.js'"))
    check([DENO, "check", "--allow-import", "--no-npm", "typed.ts"], tmp_path)


def test_node_takes_the_folder_as_a_package(tmp_path):
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/parley-web").symlink_to(WEB)
    (tmp_path / "a.mjs").write_text("import { Parley } from 'parley-web'; new Parley({ baseURL: 'http://127.0.0.1:1' });")
    check(["node", "a.mjs"], tmp_path)


@pytest.fixture
def library(tmp_path):
    """A copy of the library, and beside it a program that says: what its modules export has the types that parley.d.ts
    declares."""
    shutil.copytree(WEB / "parley", tmp_path / "parley")
    for name in ("parley.js", "parley.d.ts"):
        shutil.copy(WEB / name, tmp_path)
    exports = re.findall(r"^export (\{.*\}) from ('.*');$", (WEB / "parley.js").read_text(), re.M)
    names = re.findall(r"\w+", " ".join(listed for listed, _ in exports))
    assert {"Parley", "itemKey"} <= set(names)
    declared = "; ".join(f"{name}: typeof Declared.{name}" for name in names)
    (tmp_path / "agree.ts").write_text("\n".join([
        "import type * as Declared from './parley.js';", *(f"import {listed} from {module};" for listed, module in exports),
        f"export const own: {{ {declared} }} = {{ {', '.join(names)} }};"]))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    return tmp_path


@pytest.mark.parametrize("compiler", [pytest.param("tsc", marks=with_tsc), pytest.param("deno", marks=with_deno)])
def test_the_modules_have_types_and_they_are_the_declared_ones(library, compiler):
    files = ["agree.ts", "parley.js", *(f"parley/{one.name}" for one in sorted(library.glob("parley/*.js")))]
    if compiler == "tsc":
        options = {**OPTIONS, "allowJs": True, "checkJs": True}
        (library / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}))
        check(["tsc", "-p", "."], library)
    else:
        (library / "deno.json").write_text(json.dumps({"compilerOptions": {**STRICT, "checkJs": True}}))
        check([DENO, "check", "--no-npm", *files], library)
