"""A program in TypeScript against the library's types: as a package, by tsc; and straight from a gateway, by Deno."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
WEB = HERE.parents[1] / "web"
PROGRAM = (HERE / "typed.ts").read_text()
DENO = shutil.which("deno", path=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
OPTIONS = {"strict": True, "noEmit": True, "target": "es2022", "lib": ["es2022", "dom", "dom.iterable"], "types": [],
           "module": "nodenext", "moduleResolution": "nodenext"}


def check(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120,
                          env={**os.environ, "DENO_DIR": str(folder / "deno"), "NO_COLOR": "1"})
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(not shutil.which("tsc"), reason="there is no tsc here (Debian: node-typescript)")
def test_tsc_takes_the_folder_as_a_package(tmp_path):
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/parley-web").symlink_to(WEB)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "typed.ts").write_text(PROGRAM)
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": OPTIONS, "files": ["typed.ts"]}))
    check(["tsc", "-p", "."], tmp_path)


@pytest.mark.skipif(not DENO, reason="there is no Deno here (PyPI: deno)")
def test_deno_finds_the_types_at_the_gateway(gw, tmp_path):
    (tmp_path / "typed.ts").write_text(PROGRAM.replace("'parley-web'", f"'{gw.origin}/parley.js'"))
    check([DENO, "check", "--allow-import", "--no-npm", "typed.ts"], tmp_path)


def test_node_takes_the_folder_as_a_package(tmp_path):
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/parley-web").symlink_to(WEB)
    (tmp_path / "a.mjs").write_text("import { Parley } from 'parley-web'; new Parley({ baseURL: 'http://127.0.0.1:1' });")
    check(["node", "a.mjs"], tmp_path)
