"""Makes `import parley` find web/parley.py."""

import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "web"))
# What is in web/ is served, so nothing is kept beside it. What pytest makes of the tests is kept: it takes long.
kept, sys.dont_write_bytecode = sys.dont_write_bytecode, True
importlib.import_module("parley")
sys.dont_write_bytecode = kept
