"""The load clients, as calls."""

import contextlib
import json
import re
import subprocess

from .processes import Failure, Process, run


def load(bench, port, connections, seconds, lines, rate=0):
    """Requests in a closed loop, or at a rate; see clients/load.c. Failure if one is not answered 2xx."""
    file = bench.file("requests", "\n".join(lines) + "\n")
    text = run([
        bench.program("load"), "-p", str(port), "-c", str(connections), "-s", str(seconds), "-f", file, "-r", str(rate)], seconds + 30)
    result = json.loads(text)
    if result["refused"] or result["unanswered"] or not result["answered"]:
        raise Failure(f"load: {text.strip()}")
    return result


def wrk(port, path, connections, seconds, token=None, tag=None, script=()):
    """Requests a second of one GET over and over. With a tag the answers are 304. `script` is one of wrk's, with its
    arguments: it may ask for something else each time."""
    headers = ["-H", f"Authorization: Bearer {token}"] if token else []
    headers += ["-H", f"If-None-Match: {tag}"] if tag else []
    if script:
        headers += ["-s", script[0]]
    text = run(
        ["wrk", "-t1", f"-c{connections}", f"-d{max(1, round(seconds))}s", "--timeout", "5s", "--latency", *headers,
         f"http://127.0.0.1:{port}{path}", "--", *map(str, script[1:])], seconds + 20)
    if "Non-2xx" in text:
        raise Failure("wrk: " + text[text.index("Non-2xx"):].splitlines()[0])
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if not rate:
        raise Failure("wrk: " + text[-300:])
    return float(rate[1])


def broadcast(bench, port, streams, paths, publish, body, phases, token=None, attach=None, content="application/json", limit=20):
    """One result a phase; see clients/broadcast.c. `phases` are (messages, rate). What was lost is the caller's to judge."""
    arguments = [
        bench.program("broadcast"), "-p", str(port), "-n", str(streams), "-f", bench.file("paths", "\n".join(paths) + "\n"),
        "-u", publish, "-b", bench.file("body", body), "-t", content, "-l", str(limit)]
    if token:
        arguments += ["-k", token]
    if attach:
        arguments += ["-a", attach]
    for messages, rate in phases:
        arguments += ["-m", f"{messages}:{rate}"]
    text = run(arguments, 70 + limit * len(phases))
    return [json.loads(line) for line in text.splitlines()]


def complete(results):
    """The same results. Failure if a delivery is missing or doubled: a stream of Parley's holds each event once."""
    for result in results:
        if result["refused"] or result["lost"] or result["disordered"] or result["closed"]:
            raise Failure("a stream of Parley's is not complete: " + json.dumps(result))
    return results


@contextlib.contextmanager
def held(bench, port, streams, paths, attach=None, waiting=False):
    """Idle streams for as long as the block runs, or requests whose answers wait."""
    arguments = [bench.program("hold"), "-p", str(port), "-n", str(streams), "-f", bench.file("paths", "\n".join(paths) + "\n")]
    if attach:
        arguments += ["-a", attach]
    if waiting:
        arguments.append("-w")
    with Process(arguments, bench.new_path("hold.log"), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        if not process.child.stdout.readline().startswith(b"attached"):
            process.child.wait(5)
            process.check()
        yield
        process.check()


def trips(bench, port, streams, posts, body, phases, token, needle='"status":"delivered"'):
    """One result a phase; see clients/trip.c. `phases` are (seconds, rate). Failure if one message does not come back."""
    text = run([
        bench.program("trip"), "-p", str(port), "-n", str(len(streams)), "-f", bench.file("streams", "\n".join(streams) + "\n"),
        "-a", "ready", "-e", needle, "-u", bench.file("posts", "\n".join(posts) + "\n"), "-k", token, "-b", bench.file("body", body),
        *(argument for seconds, rate in phases for argument in ("-m", f"{seconds}:{rate}"))], 120 + 20 * len(phases))
    results = [json.loads(line) for line in text.splitlines()]
    for result in results:
        if result["refused"] or result["lost"] or result["closed"] or not result["sent"]:
            raise Failure("not every message came back: " + json.dumps(result))
    return results
