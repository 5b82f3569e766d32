"""What a gateway's process holds, sampled from outside."""

import csv
import os
import pathlib
import re
import time

#: Columns of the metrics, by the names they have there.
METRICS = {
    "streams": "parley_streams",
    "sessions": "parley_sessions",
    "connections": "parley_http_connections",
    "inFlight": "parley_http_requests_in_flight",
    "head": "parley_log_head",
    "walBytes": "parley_store_wal_bytes",
    "requests": "parley_http_requests_total",
}
COLUMNS = ["phase", "seconds", "rss", "anonymous", "file", "pss", "descriptors", "threads", *METRICS]


def memory(pid):
    """Bytes: resident, of these anonymous and of files, and the proportional set."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()

    def bytes_of(name, text):
        return int(re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)[1]) << 10

    return {
        "rss": bytes_of("VmRSS", status),
        "anonymous": bytes_of("RssAnon", status),
        "file": bytes_of("RssFile", status),
        "pss": bytes_of("Pss", rollup),
    }


class Samples(list):
    """Dictionaries with `COLUMNS`, which are also written to a file of comma-separated values."""

    def __init__(self, gateway, path=None):
        self._gateway, self._start = gateway, time.monotonic()
        self._file = open(path, "w", newline="") if path else None
        if self._file:
            self._writer = csv.DictWriter(self._file, COLUMNS)
            self._writer.writeheader()

    def take(self, phase):
        pid, metrics = self._gateway.pid, self._gateway.metrics()
        sample = {
            "phase": phase,
            "seconds": round(time.monotonic() - self._start, 1),
            **memory(pid),
            "descriptors": self._gateway.descriptors(),
            "threads": len(os.listdir(f"/proc/{pid}/task")),
            **{column: int(metrics[name]) for column, name in METRICS.items()},
        }
        self.append(sample)
        if self._file:
            self._writer.writerow(sample)
            self._file.flush()
        return sample

    def close(self):
        if self._file:
            self._file.close()
