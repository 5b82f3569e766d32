"""web/parley.py beside httpx-sse: the same stream of a session's events, replayed from the log, each event as an object."""

import json
import os
import sys
import time

from ..bench import HERE
from ..gateway import Gateway
from ..table import Row, at_least

NAME = "python"
ABOUT = "events that Python takes in a second of its processor time, by parley.py and by httpx-sse"


def measure(bench):
    try:
        import httpx
        import httpx_sse
    except ImportError:
        return [Row("events, Python", "ev/s", failure="httpx-sse is not installed (PyPI)")]
    sys.path.insert(0, os.path.join(HERE, "..", "..", "web"))
    from parley import Parley

    count = 2_000 if bench.quick else 10_000
    with bench.scratch() as folder, Gateway(bench, folder) as gateway:
        customer = gateway.customer()
        address = f"http://127.0.0.1:{gateway.port}"
        gateway.say(customer, count)
        parley = Parley(address, customer.token)
        beginning = parley.session(customer.session).get()["createdAt"]
        query = {"session": customer.session, "since": beginning, "types": "message.created"}

        def rate(take):
            started = time.process_time()
            found = take()
            return found / (time.process_time() - started)

        def ours():
            found = 0
            with parley.stream("/v1/events", query) as events:
                for event in events:
                    found += event.type == "message.created" and bool(event.data["message"]["id"])
                    if found == count:
                        return found

        def peer():
            found = 0
            headers = {"Authorization": f"Bearer {customer.token}"}
            with httpx.Client(headers=headers, timeout=60) as client:
                with httpx_sse.connect_sse(client, "GET", f"{address}/v1/events", params=query) as source:
                    for event in source.iter_sse():
                        found += event.event == "message.created" and bool(json.loads(event.data)["message"]["id"])
                        if found == count:
                            return found

        results = bench.interleave(ours=lambda: rate(ours), peer=lambda: rate(peer))
    return [Row(f"{count:,} events, Python's processor time", "ev/s", results["ours"], results["peer"], "httpx-sse", at_least(1))]
