"""Runs Python programs one after the other, as programs.mjs does it with JavaScript.

Of stdin the path of a program a line; to stdout for each a line of JSON: its exit status, and what it printed.
"""

import contextlib
import io
import json
import runpy
import sys
import traceback

for line in sys.stdin:
    told, status = io.StringIO(), 0
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            runpy.run_path(line.strip(), run_name="__main__")
        except BaseException:
            traceback.print_exc()
            status = 1
    print(json.dumps([status, told.getvalue()]), flush=True)
