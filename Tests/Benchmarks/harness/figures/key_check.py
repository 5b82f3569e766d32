"""Sends and pages of a key beside the same by the tokens of the sessions and by the gateway's own: what the check costs."""

import copy

from ..clients import load, wrk
from ..gateway import Gateway
from ..table import Row, at_least
from .durable_send import CONNECTIONS, prepared

NAME = "keys"
ABOUT = "send and page by a key, by the gateway's token and by the tokens of sessions"
TARGET = at_least(0.98)


def measure(bench):
    folder, customers = bench.kept("customers", lambda: prepared(bench))
    seconds = bench.seconds(3)

    def send(credential):
        """By one of the three, which gives a customer's token."""
        with bench.scratch(folder) as scratch, Gateway(bench, scratch) as gateway:
            lines = [holding(customer, credential(gateway, customer)).send_line() for customer in customers]
            return load(bench, gateway.port, CONNECTIONS, seconds, lines)["rate"]

    def page(credential):
        with bench.scratch() as scratch, Gateway(bench, scratch) as gateway:
            customer = gateway.customer()
            gateway.say(customer, 40)
            return wrk(gateway.port, f"{customer.messages}?limit=20", 64, seconds, credential(gateway, customer))

    rows = []
    for what, unit, figure in ((f"durable send, {CONNECTIONS} connections", "msg/s", send), ("page of 20, 64 connections", "req/s", page)):
        results = bench.interleave(**{name: lambda credential=credential: figure(credential) for name, credential in CREDENTIALS.items()})
        rows += [
            Row(f"{what}, by a key", unit, results["key"], results[name], beside, TARGET)
            for name, beside in (("gateway", "the gateway's token"), ("session", "the session's token"))]
    return rows


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
