"""`parley tail` and `parley wait`: every event once, whatever happens to the gateway or to the command."""

import json
import signal

from chat import Chat
from commands import Running, answer, parley


def logged(gateway, path, after):
    """What the log has after a cursor, as a stream replays it."""
    with gateway.events(f"{path}/events?after={after}") as events:
        return [(each.id, each.name, each.data) for each in events.collect(lambda each: each.name == "ready")[:-1]]


def printed(lines):
    return [(each.get("id"), each["type"], each["data"]) for each in map(json.loads, lines)]


def test_nothing_is_lost_over_restarts_of_the_gateway(own, tmp_path):
    chat = Chat(own, "contract-multi")
    start, place = chat.session["cursor"], tmp_path / "place"
    types = "message.created,thread.created,thread.updated"
    lines = []
    with Running(own, "tail", chat.id, "--types", types, "--after", start, "--cursor-file", str(place), "-o", "jsonl") as tail:
        tail.told("following from")
        thread = chat.thread()

        def follow(text):
            chat.say(thread, text)
            while True:
                lines.append(tail.line())
                if json.loads(lines[-1])["data"].get("message", {}).get("text") == text:
                    return

        follow("first")
        for end in (own.stop, own.kill):
            end()
            tail.told("the stream broke")
            own.start()
            tail.told("following from")
            follow(end.__name__)
        tail.process.send_signal(signal.SIGKILL)
        tail.wait()
        while (line := tail.line()) is not None:
            lines.append(line)
    # What the command had not read when it was killed comes at the next run, and one event at most comes again.
    chat.say(thread, "meanwhile")
    rest = answer(own, "tail", chat.id, "--types", types, "--no-follow", "--cursor-file", str(place), "-o", "jsonl", "-q")
    rest = rest.splitlines()
    if rest[0] == lines[-1]:
        rest = rest[1:]
    expected = [each for each in logged(own, chat.path, start) if each[1] in types.split(",")]
    assert printed(lines + rest) == expected
    assert sum(each[1] == "message.created" for each in expected) == 4
    # The file now holds the end of the log: a further run prints nothing.
    assert answer(own, "tail", chat.id, "--types", types, "--no-follow", "--cursor-file", str(place), "-q") == ""


def test_the_place_is_kept_after_each_event(gw, tmp_path):
    chat = Chat(gw, "contract-multi")
    chat.open()
    whole = logged(gw, chat.path, chat.session["cursor"])
    place = tmp_path / "place"
    place.write_text(chat.session["cursor"] + "\n")
    words = ("tail", chat.id, "--count", "1", "--cursor-file", str(place), "-o", "jsonl", "-q")
    seen = []
    for _ in whole:
        seen += answer(gw, *words).splitlines()
        assert place.read_text() == whole[len(seen) - 1][0] + "\n"
    assert printed(seen) == whole
    place.write_text("\n")
    assert answer(gw, *words[:2], "--no-follow", *words[4:]) == "", "an empty file is none: it begins at the end"
    assert place.read_text() != "\n"


def test_the_newest_events_come_first_of_all(gw):
    chat = Chat(gw, "contract-multi")
    chat.open()
    whole = logged(gw, chat.path, chat.session["cursor"])
    for count in (0, 1, 3, len(whole) + 5):
        told = answer(gw, "tail", chat.id, "-n", str(count), "--no-follow", "-o", "jsonl", "-q").splitlines()
        newest = printed(told)[-len(whole):]
        assert newest == whole[len(whole) - min(count, len(whole)):]
    with Running(gw, "tail", chat.id, "-n", "1", "-o", "jsonl") as tail:
        assert printed([tail.line()]) == whole[-1:]
        tail.told("following from")
        gw.post(f"{chat.path}/threads", {"name": "Next"})
        assert printed([tail.line()])[0][1] == "thread.created"


def test_a_time_to_begin_at(gw):
    chat = Chat(gw, "contract-multi")
    thread, _ = chat.open()
    whole = logged(gw, chat.path, chat.session["cursor"])
    words = ("tail", chat.id, "--no-follow", "-o", "jsonl", "-q", "--since")
    assert printed(answer(gw, *words, "10m").splitlines()) == whole
    last = chat.say(thread, "Later")
    times = gw.get(f"{thread}/messages")["items"]
    assert times[0]["id"] == last["id"]
    told = printed(answer(gw, *words, last["createdAt"]).splitlines())
    assert [each[2]["message"]["text"] for each in told if each[1] == "message.created"][-1] == "Later"
    assert answer(gw, *words, "2100-01-01T00:00:00Z") == ""
    assert parley(gw, *words, "yesterday").returncode == 64
    assert parley(gw, *words, "1m", "-n", "1").returncode == 64


def test_an_end_that_was_asked_for(gw):
    chat = Chat(gw, "contract-multi")
    chat.open()
    start = chat.session["cursor"]
    assert len(answer(gw, "tail", chat.id, "--after", start, "--count", "2", "-q").splitlines()) == 2
    told = answer(gw, "tail", chat.id, "--after", start, "--types", "message.created", "--idle", "300ms", "-q")
    assert told.count("\n") == 1 and "message.created" in told


def test_a_place_that_was_lost_is_an_event(gw):
    chat = Chat(gw, "contract-multi")
    words = ("tail", chat.id, "--after", "elsewhere-1", "--no-follow", "-o", "jsonl")
    reset, = printed(answer(gw, *words, "-q").splitlines())
    assert reset[1] == "reset" and set(reset[2]) == {"reason", "snapshot"}
    done = parley(gw, *words, "--fail-on-reset")
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads(done.stderr.splitlines()[-1])["code"] == "reset"


def test_several_sessions_and_the_desk_in_one_stream(gw):
    one, two = Chat(gw, "contract-multi"), Chat(gw, "contract-multi")
    with Running(gw, "tail", one.id, two.id, "--desk", "--types", "message.created", "-o", "jsonl") as tail:
        tail.told("following from")
        for chat in (one, two):
            thread = chat.thread()
            chat.say(thread, chat.id)
            while json.loads(tail.line())["data"]["message"]["text"] != chat.id:
                pass


def test_wait_prints_the_event_that_it_waited_for(gw):
    chat = Chat(gw, "contract-multi")
    thread, at_desk = chat.open()
    start = gw.get(thread + "/messages")["cursor"]
    with Running(gw, "wait", chat.id, "--author", "agent", "--text", "^now .*!$", "--timeout", "30s", "-o", "json") as wait:
        wait.told("following from")
        chat.say(thread, "now I write!")
        for text in ("not yet", "now it is!"):
            gw.post(f"{at_desk}/messages", {"text": text})
        event = json.loads(wait.line())
        assert (event["type"], event["data"]["message"]["text"]) == ("message.created", "now it is!")
        assert wait.wait() == 0
    # What happened before the command began is not missed.
    told = answer(gw, "wait", chat.id, "--types", "message.created", "--author", "agent", "--after", start, "--timeout", "9", "-q")
    assert "not yet" in told
    assert parley(gw, "wait", chat.id, "--text", "(", "--timeout", "1s").returncode == 64


def test_a_gateway_that_stays_away_ends_no_tail_but_a_wait(own):
    chat = Chat(own, "contract-multi")
    with Running(own, "wait", chat.id, "--timeout", "6s") as wait:
        wait.told("following from")
        own.stop()
        wait.told("the stream broke")
        assert wait.wait() == 124
