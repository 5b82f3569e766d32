"""Sessions on NICE CXone, whose platform is another gateway's sandbox: memory, a message's trip, and opening them."""

import json
import os
import time
import uuid

from ..clients import load, trips
from ..gateway import TEXT, Customer, Gateway
from ..processes import Failure, run
from ..table import Row, at_least, no_more_than
from .idle_memory import settled

NAME = "cxone"
ABOUT = "1,000 sessions on NICE CXone's protocol, each with its socket: memory, trips of messages, opening"
SESSIONS = 1_000
# Open before the first look, so that what is made once is not counted as a session's.
WARM = 50
# Messages a second over all sessions for the latencies: neither side is busy.
RATE = 100
LOCAL = {"service": "local", "channel": "multi"}


def measure(bench):
    count = 200 if bench.quick else SESSIONS
    phases = [(bench.seconds(4), 0), (bench.seconds(3), RATE)]
    echo = binary(bench, "echo-bench")

    def wire():
        with bench.scratch() as there, bench.scratch() as here, Platform(bench, there) as platform, Gateway(bench, here) as gateway:
            return once(bench, gateway, platform.address("multi"), count, phases)

    def local():
        with bench.scratch() as folder, Gateway(bench, folder) as gateway:
            return once(bench, gateway, LOCAL, count, phases)

    def bare():
        return json.loads(run([echo, str(count), str(bench.seconds(3))], 60))

    results = bench.interleave(wire=wire, local=local, bare=bare)

    def runs(side, key):
        return [result[key] for result in results[side]]

    def beside(what, unit, key, target=None, note=""):
        return Row(f"{what}", unit, runs("wire", key), runs("local", key), "Parley, embedded service", target, note)

    frames = results["bare"][0]
    label = f"{count:,} CXone sessions"
    return [
        Row(f"{label}, trips", "msg/s", runs("wire", "rate"), runs("bare", "rate"), "bare NIO WebSocket echo", at_least(0.2),
            f"POST, wire, sandbox, and back to the stream, over two gateways; frames of {frames['question']} and {frames['answer']} bytes"),
        beside(f"{label}, trips", "msg/s", "rate", at_least(0.5)),
        beside(f"a trip, {RATE} msg/s, p50", "ms", "p50"),
        beside(f"a trip, {RATE} msg/s, p99", "ms", "p99"),
        beside("memory of a CXone session", "bytes", "memory", note="with its socket, without streams; of the gateway that has them"),
        beside("opening a session", "ms", "each", no_more_than(3, "3 ms"), f"{count:,} one after the other"),
        beside(f"opening {count:,} sessions at once", "s", "together"),
    ]


def once(bench, gateway, address, count, phases):
    """All that is measured of one kind of session, in a gateway of its own."""
    api = gateway.api()
    for _ in range(WARM):
        open_session(api, address)
    before = settled(gateway.process)
    begun = time.perf_counter()
    sessions = [open_session(api, address) for _ in range(count)]
    each = 1000 * (time.perf_counter() - begun) / count
    memory = (settled(gateway.process) - before) / count
    customers = []
    for session in sessions:
        thread = api.call("POST", f"/v1/sessions/{session['id']}/threads", {})["id"]
        customers.append(Customer(session["id"], session["token"], thread))
    streams = [f"{c.events}?types=message.created,message.updated\t{c.token}" for c in customers]
    closed, paced = trips(
        bench, gateway.port, streams, [c.messages for c in customers], json.dumps({"text": "{mark}" + TEXT[23:]}), phases, gateway.token)
    # The load client sends one each and is over.
    line = "\t".join(["POST", "/v1/sessions", gateway.token, json.dumps({**address, "customer": {"id": "{id}"}})])
    together = load(bench, gateway.port, count, 0.001, [line])["seconds"]
    ready = [session["state"] for session in all_sessions(api)]
    if set(ready) != {"ready"}:
        raise Failure(f"not all sessions are ready: { {state: ready.count(state) for state in ready} }")
    api.close()
    return {
        "memory": memory, "each": each, "together": together, "rate": closed["rate"], "p50": paced["p50"], "p99": paced["p99"]}


def all_sessions(api):
    path = "/v1/sessions?limit=200"
    while path:
        page = api.call("GET", path)
        yield from page["items"]
        path = f"/v1/sessions?limit=200&cursor={page['next']}" if "next" in page else None


def open_session(api, address, customer=None):
    session = api.call("POST", "/v1/sessions", {**address, "customer": {"id": customer or str(uuid.uuid4())}})
    if session["state"] != "ready":
        raise Failure(f"a session is {session['state']}")
    return session


class Platform(Gateway):
    """A gateway that stands in for the platform."""

    def __init__(self, bench, folder, arguments=(), **options):
        super().__init__(bench, folder, ["--cxone-sandbox", *arguments], **options)

    def address(self, channel):
        """What a session of another gateway names to get to one of the channels here."""
        api = self.api()
        sandbox = api.call("GET", "/v1/info")["sandbox"]
        api.close()
        place = next(c["id"] for c in sandbox["channels"] if (c["channel"], c.get("authorization", "anonymous")) == (channel, "anonymous"))
        return {
            "service": "cxone", "brandId": sandbox["brandId"], "channelId": place,
            "urls": {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]}}


def binary(bench, name):
    path = os.path.join(os.path.dirname(bench.gateway_binary), name)
    if not os.access(path, os.X_OK):
        raise Failure(f"no {path}: build it (swift build -c release --product {name})")
    return path
