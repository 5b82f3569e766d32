"""A shorter list of operations that fails too: parts are left out, and the rest is done again on a new folder."""

import time


def shrink(steps, fails, seconds):
    """`fails(steps)` returns the fault or None. Ends after `seconds` with what it has."""
    end = time.monotonic() + seconds
    part = max(1, len(steps) // 2)
    while part and time.monotonic() < end:
        place, was_shorter = 0, False
        while place < len(steps) - 1 and time.monotonic() < end:
            shorter = steps[:place] + steps[place + part :]
            # The last one is what noticed.
            if shorter and shorter[-1] == steps[-1] and fails(shorter):
                steps, was_shorter = shorter, True
            else:
                place += part
        if part == 1 and not was_shorter:
            break
        part = max(1, part // 2) if part > 1 or was_shorter else 0
    return steps
