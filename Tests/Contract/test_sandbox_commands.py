"""`parley faults` and `parley sandbox`: what a tester does in a shell."""

import json
import signal
from pathlib import Path

import pytest
from commands import Running, answer, parley
from document import DOCUMENT
from gateway import Gateway
from platform_client import Failed, PlatformClient, new_id
from test_completion import offers


def schema(name):
    return DOCUMENT.resolve({"$ref": f"#/components/schemas/{name}"})


@pytest.fixture(scope="module")
def gw():
    """One of its own: its frames and faults are nobody else's."""
    with Gateway() as gateway:
        yield gateway


@pytest.fixture(autouse=True)
def clean(gw):
    gw.delete("/v1/sandbox/faults")


@pytest.fixture
def app(gw):
    with PlatformClient(gw, "multi") as client:
        client.authorize()
        yield client


def due(gateway):
    return gateway.get("/v1/sandbox/faults")["items"]


# -- faults

def test_a_fault_is_added_listed_and_removed(gw):
    added = answer(gw, "faults", "add", "loseAnswer", "--event", "SendMessage", "--customer", "ada", "--count", "2")
    assert added.split("\t")[1:] == ["loseAnswer", "ada", "SendMessage", "2", "\n"]
    assert answer(gw, "faults") == added == answer(gw, "faults", "list")
    assert due(gw)[0]["count"] == 2
    answer(gw, "faults", "clear", "-q")
    assert due(gw) == []
    done = parley(gw, "faults", "add", "nonsense")
    assert done.returncode == 1 and "/kind" in done.stderr


CONDITIONS = {
    "customer": ("--customer", "ada", "ada"), "event": ("--event", "SendMessage", "SendMessage"), "channel": ("--channel", "multi", "multi"),
    "socket": ("--socket", "7", 7), "nth": ("--nth", "3", 3), "probability": ("--probability", "0.25", 0.25), "seed": ("--seed", "0", 0),
    "lastsMilliseconds": ("--for", "90s", 90_000), "count": ("--count", "5", 5), "milliseconds": ("--milliseconds", "0", 0),
    "errorCode": ("--error-code", "SendingMessageFailed", "SendingMessageFailed"),
}


def test_every_condition_of_the_api_has_its_flag(gw):
    names = set(schema("SandboxFaultRequest")["properties"]) - {"kind"}
    assert names == set(CONDITIONS)
    flags = [word for flag, value, _ in CONDITIONS.values() for word in (flag, value)]
    row = answer(gw, "faults", "add", "delayAnswer", *flags).rstrip("\n").split("\t")
    [fault] = due(gw)
    assert fault == {"id": row[0], "kind": "delayAnswer"} | {name: value for name, (_, _, value) in CONDITIONS.items()}
    assert row[-1] == "channel multi, socket 7, nth 3, probability 0.25, seed 0, for 90000 ms, delay 0 ms, error code SendingMessageFailed"


@pytest.mark.parametrize("flags, place", [
    (["--probability", "2"], "/probability"), (["--nth", "0"], "/nth"), (["--for", "0s"], "/lastsMilliseconds"), (["--seed=-1"], "/seed"),
])
def test_a_bad_condition_is_named(gw, flags, place):
    done = parley(gw, "faults", "add", "refuse", *flags)
    assert done.returncode == 1 and place in done.stderr
    assert due(gw) == []


@pytest.mark.parametrize("flags", [["--probability", "nan"], ["--probability", "inf"], ["--for", "soon"], ["--nth", "two"]])
def test_what_is_no_number_is_wrong_use(gw, flags):
    assert parley(gw, "faults", "add", "refuse", *flags).returncode == 64


# -- scripts

STEPS = [{"fault": {"kind": "refuse", "event": "FetchThreadList"}},
         {"fault": {"kind": "refuse", "event": "SendMessage", "nth": 2}, "trigger": {"event": "FetchThreadList"}}]


def test_a_script_is_started_watched_and_stopped(gw, app, tmp_path):
    file = tmp_path / "script.json"
    file.write_text(json.dumps({"name": "two", "steps": STEPS}))
    row = answer(gw, "faults", "scripts", "start", str(file)).rstrip("\n").split("\t")
    script = row[0]
    assert row[1:4] == ["two", "0", "2"]
    assert answer(gw, "faults", "scripts", "-o", "id") == f"{script}\n" == answer(gw, "faults", "scripts", "list", "-o", "id")

    def steps():
        return [line.split("\t") for line in answer(gw, "faults", "scripts", "show", script).splitlines()]

    assert [each[:3] for each in steps()] == [["1", "due", "refuse"], ["2", "waiting", "refuse"]]
    with pytest.raises(Failed):
        app.ask("FetchThreadList")
    [frame] = [each["number"] for each in gw.get("/v1/sandbox/frames")["items"] if (each["kind"], each.get("customer")) == ("fault", app.customer)]
    assert steps()[0][1] == "done" and steps()[0][-2:] == ["1", str(frame)]
    assert steps()[1][1:6] == ["due", "refuse", "", "SendMessage", "nth 2"]
    assert json.loads(answer(gw, "faults", "scripts", "show", script, "-o", "json"))["id"] == script
    done = parley(gw, "faults", "scripts", "stop", script)
    assert (done.returncode, done.stdout) == (0, "") and "stopped" in done.stderr
    assert due(gw) == [] == gw.get("/v1/sandbox/scripts")["items"]


def test_a_script_comes_from_standard_input_and_is_checked_by_the_gateway(gw, tmp_path):
    assert answer(gw, "faults", "scripts", "start", "-", text=json.dumps({"steps": STEPS}))
    done = parley(gw, "faults", "scripts", "start", "-", text=json.dumps({"steps": [{"fault": {"kind": "refuse", "nth": 0}}]}))
    assert done.returncode == 1 and "/steps/0/fault/nth" in done.stderr
    assert parley(gw, "faults", "scripts", "start", str(tmp_path / "none")).returncode == 64
    done = parley(gw, "faults", "scripts", "stop", "none")
    assert done.returncode == 1 and "no such script" in done.stderr and "--cxone-sandbox" not in done.stderr


# -- frames

def test_sockets_and_frames_are_listed(gw, app):
    thread = new_id()
    before = gw.get("/v1/sandbox/frames")["last"]
    app.send(thread, "Where is\tmy order?")
    [socket] = [line.split("\t") for line in answer(gw, "sandbox", "sockets").splitlines() if app.customer in line]
    assert socket[2:4] == ["multi", "ios"]
    own = ("--customer", app.customer, "--after", str(before))
    [sent] = answer(gw, "sandbox", "frames", *own, "--direction", "toSandbox").splitlines()
    cells = sent.split("\t")
    assert len(cells) == 8 and cells[2:6] == [socket[0], app.customer, "toSandbox", "SendMessage"]
    assert "Where is" in cells[7]
    both = [json.loads(line) for line in answer(gw, "sandbox", "frames", *own, "--event", "SendMessage", "-o", "jsonl").splitlines()]
    assert [each["direction"] for each in both] == ["toSandbox", "toClient"] and both[1]["answers"] == both[0]["number"]
    whole = json.loads(answer(gw, "sandbox", "frames", "--socket", socket[0], "-o", "json"))
    assert {each["socket"] for each in whole["items"]} == {int(socket[0])} and "cursor" in whole
    done = parley(gw, "sandbox", "frames", "--direction", "in")
    assert done.returncode == 1 and "direction" in done.stderr


def numbers(running, count):
    return [json.loads(running.line())["number"] for _ in range(count)]


def test_frames_are_followed(gw, app):
    """First what is there, then what comes, each once, also over a break."""
    app.ask("FetchThreadList")
    flags = ("sandbox", "frames", "--follow", "--customer", app.customer, "--event", "FetchThreadList", "-o", "jsonl")
    with Running(gw, *flags) as running:
        first = numbers(running, 2)
        running.told("following from")
        app.ask("FetchThreadList")
        app.ask("FetchThreadList")
        more = numbers(running, 4)
    listed = gw.get(f"/v1/sandbox/frames?customer={app.customer}&event=FetchThreadList")["items"]
    assert first + more == [each["number"] for each in listed]


def test_following_goes_on_after_a_clean_start():
    """The numbers begin anew: the command says so, and prints what the sandbox has since."""
    with Gateway() as own:
        before = PlatformClient(own, "multi").connect()
        before.authorize()
        with Running(own, "sandbox", "frames", "--follow", "--event", "AuthorizeCustomer", "-o", "id") as running:
            assert [running.line() for _ in range(2)]
            running.told("following from")
            answer(own, "sandbox", "reset", "--yes")
            running.told("begin anew")
            with PlatformClient(own, "multi") as client:
                client.authorize()
                again = [running.line() for _ in range(2)]
            listed = own.get("/v1/sandbox/frames?event=AuthorizeCustomer")["items"]
            assert again == [str(each["number"]) for each in listed]


def heartbeats(client, count, size=0):
    """So many frames of the app, each with its answer."""
    for _ in range(count):
        client.socket.send(json.dumps({"action": "heartbeat", "pad": "x" * size}))
        client.next()


def kernel_bytes():
    """More than the kernel holds of a UNIX socket whose reader takes nothing."""
    return 2 * int(Path("/proc/sys/net/core/wmem_default").read_text()) + (1 << 20)


def test_what_is_not_kept_any_more_is_counted():
    with Gateway() as own, PlatformClient(own, "multi") as client:
        client.authorize()
        before = own.get("/v1/sandbox/frames")
        heartbeats(client, 1100)
        with own.events(f"/v1/sandbox/frames/events?after={before['cursor']}") as stream:
            told = stream.next()
            assert told.name == "reset" and told.data["reason"] == "expired"
        after = own.get(f"/v1/sandbox/frames?after={before['last']}")
        assert after["missed"] == 2200 - 2000 and len(after["items"]) == 2000
        assert after["dropped"]["frames"] == before["last"] + after["missed"] and after["dropped"]["bytes"] > 0
        heartbeats(client, 600, 8000)
        after = own.get("/v1/sandbox/frames")
        assert len(after["items"]) < 1200 and sum(len(each["text"]) for each in after["items"]) <= 4 << 20


def test_who_follows_too_slowly_gets_what_is_kept(tmp_path):
    """While the command is stopped more frames come than the stream and the gateway hold: those that are kept are printed
    once, and the gap is told. Over a UNIX socket: TCP waits ever longer before it sends to such a reader again."""
    address = f"unix:{tmp_path}/socket"
    with Gateway(options=("--listen", address)) as own, PlatformClient(own, "multi") as client:
        client.authorize()
        with Running(own, "sandbox", "frames", "--follow", "-o", "id", "--gateway", address) as running:
            running.told("following from")
            running.process.send_signal(signal.SIGSTOP)
            # Large frames fill what the kernel holds of the stream, small ones push the others out.
            heartbeats(client, kernel_bytes() // 8000 + 1, 8000)
            heartbeats(client, 1100)
            kept = [each["number"] for each in own.get("/v1/sandbox/frames")["items"]]
            running.process.send_signal(signal.SIGCONT)
            assert int(running.told("frames are gone").split()[1]) > 0
            printed = [int(running.line())]
            while printed[-1] < kept[-1]:
                printed.append(int(running.line()))
        assert printed == sorted(set(printed)) and set(kept) <= set(printed)


# -- a clean start

def test_a_clean_start_wants_to_be_meant(gw, app):
    app.send(new_id(), "Hello")
    gw.post("/v1/sandbox/faults", {"kind": "refuse", "event": "SendMessage"})
    done = parley(gw, "sandbox", "reset")
    assert done.returncode == 64 and "--yes" in done.stderr and done.stdout == ""
    assert due(gw) and gw.get("/v1/sandbox/sockets")["items"]
    sockets, customers, threads = answer(gw, "sandbox", "reset", "--yes").split()
    assert int(sockets) >= 1 and int(customers) >= 1 and int(threads) >= 1
    assert due(gw) == [] == gw.get("/v1/sandbox/sockets")["items"]


# -- completion

def test_words_are_completed(gw, app, tmp_path):
    kinds = set(schema("SandboxFaultKind")["enum"])
    offers(kinds, gw, "parley faults add ", tmp_path)
    script = gw.post("/v1/sandbox/scripts", {"steps": STEPS})["id"]
    offers({script}, gw, "parley faults scripts show ", tmp_path)
    offers({script}, gw, "parley faults scripts stop ", tmp_path)
    offers({"multi"}, gw, "parley faults add refuse --channel ", tmp_path)
    [socket] = [str(each["number"]) for each in gw.get("/v1/sandbox/sockets")["items"] if each.get("customer") == app.customer]
    offers({socket}, gw, "parley sandbox frames --socket ", tmp_path)
    offers({"toSandbox", "toClient"}, gw, "parley sandbox frames --direction ", tmp_path)
