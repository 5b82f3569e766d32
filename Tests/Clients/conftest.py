"""Makes `import parley` find web/parley.py."""

import pathlib
import sys

sys.dont_write_bytecode = True  # nothing of the tests belongs into web/, which is served
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "web"))
