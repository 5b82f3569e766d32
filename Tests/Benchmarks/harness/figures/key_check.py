"""Sends and pages of a key beside the same by the tokens of the sessions and by the gateway's own: what the check costs."""

import copy

from ..clients import load, wrk
from ..gateway import Gateway
from ..table import Row, at_least, at_most
from .durable_send import CONNECTIONS, prepared

NAME = "keys"
ABOUT = "send and page by a key, by the gateway's token and by the tokens of sessions"
TARGET = at_least(0.98)


def measure(bench):
    folder, customers = bench.kept("customers", lambda: prepared(bench))
    seconds = bench.seconds(3)

    def send(credential):
        """How many a second, and microseconds of the processors each: the disk decides the first, the check only the second."""
        with bench.scratch(folder) as scratch, Gateway(bench, scratch) as gateway:
            lines = [holding(customer, credential(gateway, customer)).send_line() for customer in customers]
            before = gateway.process.processor_seconds()
            result = load(bench, gateway.port, CONNECTIONS, seconds, lines)
            return result["rate"], 1e6 * (gateway.process.processor_seconds() - before) / result["answered"]

    def page(credential):
        with bench.scratch() as scratch, Gateway(bench, scratch) as gateway:
            customer = gateway.customer()
            gateway.say(customer, 40)
            return wrk(gateway.port, f"{customer.messages}?limit=20", 64, seconds, credential(gateway, customer))

    def measured(figure):
        return bench.interleave(**{name: lambda credential=credential: figure(credential) for name, credential in CREDENTIALS.items()})

    def rows(what, unit, results, target):
        return [
            Row(f"{what}, by a key", unit, results["key"], results[name], beside, target)
            for name, beside in (("gateway", "the gateway's token"), ("session", "the session's token"))]

    sends = measured(send)
    rates, processor = ({name: [run[index] for run in runs] for name, runs in sends.items()} for index in (0, 1))
    label = f"durable send, {CONNECTIONS} connections"
    return [
        *rows(label, "msg/s", rates, TARGET), *rows(f"{label}, processor time", "us a send", processor, at_most(1 / 0.98)),
        *rows("page of 20, 64 connections", "req/s", measured(page), TARGET)]


def key(gateway, _):
    """One for each gateway, made when it is first asked for."""
    if not hasattr(gateway, "key"):
        made = gateway.api().call("POST", "/v1/keys", {"name": "benchmark", "scopes": ["sessions.write"]})
        gateway.key = made["secret"]
    return gateway.key


CREDENTIALS = {
    "key": key, "gateway": lambda gateway, _: gateway.token, "session": lambda _, customer: customer.token}


def holding(customer, token):
    other = copy.copy(customer)
    other.token = token
    return other
