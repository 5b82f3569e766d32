"""What waits for PostgreSQL: pages that are not in memory, and sends where each round trip takes longer."""

import contextlib
import datetime
import json
import re

from ..bench import HERE
from ..clients import load, wrk
from ..gateway import Gateway
from ..postgres import Postgres
from ..processes import run
from ..table import Row, at_least
from .durable_send import CONNECTIONS
from .postgres import BASE, prepared, stored

NAME = "trips"
ABOUT = "cold pages, and sends with 0.5 ms more a round trip, on PostgreSQL, beside pgbench"
CLIENTS = [1, 8]
# The thread's messages: many more than one page, so that pages begin all over them.
SECONDS_OF_FILLING = 1
MORE = 500


def measure(bench):
    with Postgres(bench) as postgres:
        return [*cold_pages(bench, postgres), *delayed_sends(bench, postgres)]


class Thread:
    """A thread with some thousands of messages, and how its pages are asked for."""

    def __init__(self, bench, gateway):
        self.port, self._customer = gateway.port, gateway.customer()
        first = json.loads(gateway.say(self._customer))
        load(bench, self.port, CONNECTIONS, SECONDS_OF_FILLING, [self._customer.send_line()])
        last = gateway.api().call("GET", f"{self._customer.messages}?limit=1")
        self._range = [milliseconds(message["createdAt"]) for message in (first, last["items"][0])]
        # A cursor is the list's name, "o" for older messages, a time, and a message's number.
        self._prefix = re.match(r"(m\d+o)\d+\.\d+$", last["next"])[1]

    def cold(self, connections, seconds):
        return wrk(
            self.port, self._customer.messages, connections, seconds, self._customer.token,
            script=[f"{HERE}/clients/cold.lua", self._prefix, *self._range])

    def query(self, postgres, database, clients, seconds):
        low, high = self._range
        text = run([
            postgres.program("pgbench"), "-n", "-M", "prepared", "-c", str(clients), "-j", "1", "-T", str(round(seconds)),
            "-D", f"thread={self._prefix[1:-1]}", "-D", f"low={low}", "-D", f"high={high}",
            "-f", f"{HERE}/peers/page.pgbench", postgres.address(database)], seconds + 60)
        return float(re.search(r"tps = ([\d.]+)", text)[1])


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


def cold_pages(bench, postgres):
    seconds = bench.seconds(2)
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres.copy())
        ours, lite = (
            Thread(bench, stack.enter_context(Gateway(bench, stack.enter_context(bench.scratch()), arguments)))
            for arguments in (stored(postgres, database), []))
        rows = []
        for clients in CLIENTS:
            results = bench.interleave(
                ours=lambda: ours.cold(clients, seconds), lite=lambda: lite.cold(clients, seconds),
                query=lambda: ours.query(postgres, database, clients, seconds))
            label = f"cold page of 20 on PostgreSQL, {clients} connections"
            rows += [
                Row(label, "req/s", results["ours"], results["query"], f"its one query, pgbench with {clients}", at_least(0.5)),
                Row(label, "req/s", results["ours"], results["lite"], "Parley on SQLite")]
    return rows


def delayed_sends(bench, postgres):
    seconds = bench.seconds(3)
    folder, customers = prepared(bench, postgres)
    lines = [customer.send_line() for customer in customers]

    def sends(delay):
        with bench.scratch(folder) as copy, postgres.copy(BASE) as database, postgres.behind(delay) as behind:
            with Gateway(bench, copy, stored(behind, database)) as gateway:
                return load(bench, gateway.port, CONNECTIONS, seconds, lines)["rate"]

    results = bench.interleave(ours=lambda: sends(MORE), peer=lambda: sends(0))
    return [Row(
        f"send on PostgreSQL, {CONNECTIONS} connections, {MORE / 1000} ms more a round trip", "msg/s", results["ours"],
        results["peer"], "Parley without the delay", at_least(0.7))]
