"""Sends, pages and fail-over of gateways that keep their rows in PostgreSQL."""

import contextlib
import json
import os
import re
import time

from ..api import Api
from ..bench import HERE
from ..clients import load, wrk
from ..gateway import TEXT, Gateway
from ..postgres import Postgres
from ..processes import Failure, Process, run, wait_until
from ..table import Row, at_least, no_more_than
from .durable_send import BATCH, CONNECTIONS

NAME = "postgres"
ABOUT = "durable sends, hot pages and fail-over on PostgreSQL, beside libpq in C, pgbench and SQLite"
CLIENTS = [1, 8, 64]
BASE = "base"


def stored(postgres, database, name="bench"):
    """The arguments of a gateway on this database."""
    return ["--store", postgres.address(database), "--gateway-name", name]


def prepared(bench, postgres):
    """A data folder, and a database with a customer for each connection, each thread with a message: all sides begin on
    copies of it."""
    folder = bench.new_path("customers")
    os.mkdir(folder)
    postgres.ask(f"CREATE DATABASE {BASE}")
    with Gateway(bench, folder, stored(postgres, BASE)) as gateway:
        customers = gateway.customers(CONNECTIONS)
        for customer in customers:
            gateway.say(customer)
    return folder, customers


def measure(bench):
    # Not in `all`, for it needs libpq-dev.
    run(["make", "-s", "-C", HERE, f"OUT={bench.folder}/bin", bench.program("pgrows")], 60)
    with Postgres(bench) as postgres:
        folder, customers = prepared(bench, postgres)
        lines = [customer.send_line() for customer in customers]
        return [
            *sends(bench, postgres, folder, lines), hot_page(bench, postgres),
            *fail_over(bench, postgres, folder, customers, lines)]


def sends(bench, postgres, folder, lines):
    seconds = bench.seconds(3)

    def nothing(database):
        return contextlib.nullcontext()

    def ours(around=nothing):
        with bench.scratch(folder) as copy, postgres.copy(BASE) as database:
            with Gateway(bench, copy, stored(postgres, database)) as gateway, around(database):
                return load(bench, gateway.port, CONNECTIONS, seconds, lines)

    def peer(around=nothing):
        with postgres.copy(BASE) as database, around(database):
            text = run([bench.program("pgrows"), postgres.address(database), str(seconds), str(BATCH)], seconds + 30)
            return json.loads(text)["rate"]

    def script(clients):
        with postgres.copy(BASE) as database:
            text = run([
                postgres.program("pgbench"), "-n", "-M", "prepared", "-c", str(clients), "-j", "2", "-T",
                str(round(seconds)), "-D", f"threads={CONNECTIONS}", "-f", f"{HERE}/peers/send.pgbench",
                postgres.address(database)], seconds + 60)
        return float(re.search(r"tps = ([\d.]+)", text)[1])

    scripts = {f"script{clients}": lambda clients=clients: script(clients) for clients in CLIENTS}
    results = bench.interleave(
        ours=ours, peer=peer, snapshot=lambda: ours(postgres.snapshot), peer_snapshot=lambda: peer(postgres.snapshot),
        **scripts)
    rates, slow = ([run["rate"] for run in results[side]] for side in ("ours", "snapshot"))
    label = f"send on PostgreSQL, {CONNECTIONS} connections"
    return [
        Row(label, "msg/s", rates, results["peer"], f"libpq in C, {BATCH} a commit", at_least(0.35)),
        Row(f"{label}, p99", "ms", [run["p99"] for run in results["ours"]]),
        *(Row(label, "msg/s", rates, results[f"script{clients}"], f"pgbench with {clients}") for clients in CLIENTS),
        Row(f"{label}, a long snapshot", "msg/s", slow, rates, "Parley without it", at_least(0.8)),
        Row(f"{label}, a long snapshot", "msg/s", slow, results["peer_snapshot"], "libpq in C with one"),
    ]


def hot_page(bench, postgres):
    """What is answered from memory does not ask where the rows are."""
    seconds = bench.seconds(2)
    with contextlib.ExitStack() as stack:
        def side(arguments):
            gateway = stack.enter_context(Gateway(bench, stack.enter_context(bench.scratch()), arguments))
            customer = gateway.customer()
            gateway.say(customer, 40)
            return lambda: wrk(gateway.port, f"{customer.messages}?limit=20", 64, seconds, customer.token)

        database = stack.enter_context(postgres.copy())
        results = bench.interleave(ours=side(stored(postgres, database)), peer=side([]))
    return Row(
        "page of 20 on PostgreSQL, 64 connections", "req/s", results["ours"], results["peer"], "Parley on SQLite",
        at_least(0.95))


class Standby(Gateway):
    """A gateway that is started while another one has the lease: it answers, and is not ready."""

    is_active = Gateway._is_ready

    def _is_ready(self):
        return not self.is_active()


def fail_over(bench, postgres, folder, customers, lines):
    def taking_over(is_loaded):
        """Seconds from the kill until the other gateway has stored a message."""
        with contextlib.ExitStack() as stack:
            first, second = (stack.enter_context(bench.scratch(folder)) for _ in range(2))
            database = stack.enter_context(postgres.copy(BASE))
            active = stack.enter_context(Gateway(bench, first, stored(postgres, database, "one")))
            other = stack.enter_context(Standby(bench, second, stored(postgres, database, "two")))
            if is_loaded:
                stack.enter_context(Process(
                    [bench.program("load"), "-p", str(active.port), "-c", str(CONNECTIONS), "-s", "60",
                     "-f", bench.file("requests", "\n".join(lines) + "\n"), "-r", "0"], bench.new_path("load.log")))
            # The standby has looked, and the load is under way.
            time.sleep(1.5)
            begin = time.monotonic()
            active.process.stop(9)
            wait_until(other.is_active, "the other gateway", other.process, 30, step=0.001)
            api = Api(other.port, other.token)
            api.call("POST", customers[0].messages, {"text": TEXT}, token=customers[0].token)
            return time.monotonic() - begin

    results = bench.interleave(idle=lambda: taking_over(False), loaded=lambda: taking_over(True))
    return [
        Row("kill -9 until the other gateway stores, idle", "s", results["idle"], target=no_more_than(3, "3 s")),
        Row("kill -9 until the other gateway stores, load", "s", results["loaded"], target=no_more_than(3, "3 s")),
    ]
