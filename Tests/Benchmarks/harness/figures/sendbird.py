"""Pages of Sendbird's sandbox: of a channel with 100 members and many messages, beside one with few."""

import concurrent.futures
import http.client
import json
import time

from ..filling import database
from ..gateway import Gateway
from ..processes import Failure
from ..table import Row, at_most, no_more_than

NAME = "sendbird"
ABOUT = "a page of messages in Sendbird's sandbox: 100 members, 100,000 messages beside 1,000, and 100 clients at once"
FEW = 1_000
MEMBERS = 100
CLIENTS = 100
PAGE = "messages?message_ts=0&prev_limit=100&include_reply_type=ALL"


class Program:
    """A back end, on a connection of its own."""

    def __init__(self, gateway):
        self.connection = http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=60)
        self.token = gateway.api().call("GET", "/v1/info")["sendbirdSandbox"]["apiToken"]

    def ask(self, method, path, body=None):
        """The answer's bytes, and the milliseconds until they were there."""
        begun = time.monotonic()
        self.connection.request(method, f"/v3{path}", body and json.dumps(body), {"Api-Token": self.token})
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise Failure(f"{path}: {answer.status} {text[:200]}")
        return text, (time.monotonic() - begun) * 1000


def measure(bench):
    many = 10_000 if bench.quick else 100_000
    sides = {name: bench.kept(f"thread {count}", lambda count=count: database(bench, count)) for name, count in (("peer", FEW), ("ours", many))}

    def one(filled):
        with bench.scratch(filled.folder) as folder, Gateway(bench, folder, ["--sendbird-sandbox"]) as gateway:
            return once(bench, gateway, f"/group_channels/{filled.customer.thread}")

    results = bench.interleave(**{name: lambda filled=filled: one(filled) for name, filled in sides.items()})

    def runs(side, key):
        return [result[key] for result in results[side]]

    label, peer = f"{many:,} messages, {MEMBERS} members", f"Parley, {FEW:,} messages"
    return [
        Row(f"{label}, a page of 100 messages", "ms", runs("ours", "page"), runs("peer", "page"), peer, at_most(1.2)),
        Row(f"{label}, the same, at most", "ms", runs("ours", "page"), target=no_more_than(50, "50 ms")),
        Row(f"{label}, the channel with its members", "ms", runs("ours", "channel"), runs("peer", "channel"), peer, at_most(1.2)),
        Row(f"{label}, a page for each of {CLIENTS} clients at once, p50", "ms", runs("ours", "p50"), runs("peer", "p50"), peer),
        Row(f"{label}, p99", "ms", runs("ours", "p99"), runs("peer", "p99"), peer),
    ]


def once(bench, gateway, channel):
    program = Program(gateway)
    users = [f"member-{number}" for number in range(MEMBERS - 1)]
    for user in users:
        program.ask("POST", "/users", {"user_id": user, "nickname": user})
    program.ask("POST", f"{channel}/invite", {"user_ids": users})
    text, _ = program.ask("GET", f"{channel}/{PAGE}")
    if len(json.loads(text)["messages"]) != 100:
        raise Failure(f"a page has {text[:200]}")

    def mean(path):
        end, times = time.monotonic() + bench.seconds(1), []
        while time.monotonic() < end:
            times.append(program.ask("GET", path)[1])
        return sum(times) / len(times)

    result = {"page": mean(f"{channel}/{PAGE}"), "channel": mean(f"{channel}?show_member=true&show_read_receipt=true")}
    clients = [Program(gateway) for _ in range(CLIENTS)]
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        times = sorted(pool.map(lambda client: client.ask("GET", f"{channel}/{PAGE}")[1], clients))
    return result | {"p50": times[len(times) // 2], "p99": times[-1 - len(times) // 100]}
