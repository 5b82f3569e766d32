"""`parley desk` in a team: who is next, whose a thread is, and what only agents see."""

import concurrent.futures
import json
import re
import uuid

import pytest
from chat import Chat
from commands import answer, parley
from keys import Key
from people import Person
from test_completion import offers

HOSTILE = "a\x1b]0;owned\x07b\u202ec"
SHOWN = r"a\u{1b}]0;owned\u{7}b\u{202e}c"


@pytest.fixture
def team(gw):
    """A channel of its own, with two customers: the first one was answered."""
    channel = f"shell-{uuid.uuid4().hex[:8]}"
    gw.post("/v1/desk/channels", {"id": channel, "mode": "multithread", "assignOnAnswer": False})
    paths = [Chat(gw, channel, firstName=name).open()[1] for name in ("Ada", "Ben", "Cleo")]
    gw.post(f"{paths[0]}/messages", {"text": "Yes?"})
    return channel, [path.rpartition("/")[2] for path in paths]


def ids(gw, *words):
    return answer(gw, *words, "-o", "id").split()


def test_who_waits_longest_is_first(gw, team):
    channel, (ada, ben, cleo) = team
    threads = ("desk", "threads", "--channel", channel)
    assert ids(gw, *threads, "--order", "waiting") == [ben, cleo, ada]
    rows = answer(gw, *threads, "--order", "waiting").splitlines()
    assert [row.split("\t")[0] for row in rows] == [ben, cleo, ada]
    answer(gw, "desk", "assign", ben, "--as", "bo")
    assert ids(gw, *threads, "--agent", "bo") == [ben] and set(ids(gw, *threads, "--agent", "none")) == {ada, cleo}
    snoozed = json.loads(answer(gw, "desk", "snooze", cleo, "--for", "90m", "--through-replies", "-o", "json"))
    assert snoozed["snooze"]["wakeOnReply"] is False
    assert ids(gw, *threads, "--snoozed", "only") == [cleo] and cleo not in ids(gw, *threads, "--snoozed", "exclude")
    counts = json.loads(answer(gw, "desk", "counts", "--channel", channel, "-o", "json"))
    assert {name: counts[name] for name in ("open", "waiting", "unassigned", "snoozed")} == {
        "open": 2, "waiting": 1, "unassigned": 1, "snoozed": 1}
    row = answer(gw, "desk", "counts", "--channel", channel).rstrip("\n").split("\t")
    assert row[:5] == ["2", "1", "", "1", "1"] and row[5] == counts["longestWaitingSince"]
    answer(gw, "desk", "unsnooze", cleo)
    assert ids(gw, *threads, "--snoozed", "only") == []
    wrong = parley(gw, "desk", "snooze", cleo)
    assert wrong.returncode == 64 and "--until or --for" in wrong.stderr
    assert parley(gw, "desk", "snooze", cleo, "--for", "1m").returncode == 1


def test_a_claim_is_won_by_one(gw, team):
    _, (thread, *_) = team
    with concurrent.futures.ThreadPoolExecutor(6) as pool:
        done = list(pool.map(lambda number: parley(gw, "desk", "claim", thread, "--as", f"bo-{number}"), range(6)))
    assert sorted(each.returncode for each in done) == [0, 1, 1, 1, 1, 1]
    assert all("assignedToAnother" in each.stderr or "has" in each.stderr for each in done if each.returncode)


def test_nobody_answers_over_a_colleague(gw, team):
    _, (thread, *_) = team
    first = gw.get(f"/v1/desk/threads/{thread}/messages")["items"][-1]["id"]
    late = parley(gw, "desk", "send", thread, "Hello", "--as", "bo", "--if-latest", first)
    assert late.returncode == 1 and "answered" in late.stderr.lower()
    newest = gw.get(f"/v1/desk/threads/{thread}/messages")["items"][0]["id"]
    answer(gw, "desk", "send", thread, "Hello", "--as", "bo", "--if-latest", newest)


def test_tags_are_named(gw, team, tmp_path):
    channel, (thread, *_) = team
    names = [f"Late {uuid.uuid4().hex[:6]}", HOSTILE + uuid.uuid4().hex[:6]]
    made = [gw.post("/v1/desk/tags", {"name": name, "colour": "red"})["id"] for name in names]
    tagged = json.loads(answer(gw, "desk", "tag", thread, names[0].upper(), made[1], "-o", "json"))
    assert tagged["tags"] == made
    assert ids(gw, "desk", "threads", "--channel", channel, "--tag", names[0]) == [thread]
    rows = [line.split("\t") for line in answer(gw, "desk", "tags").splitlines()]
    assert [made[0], "red", names[0]] in rows and [made[1], "red", names[1].replace(HOSTILE, SHOWN)] in rows
    offers(set(made), gw, f"parley desk tag {thread} ", tmp_path)
    assert "tags" not in json.loads(answer(gw, "desk", "tag", thread, "--none", "-o", "json"))
    lost = parley(gw, "desk", "tag", thread, "nowhere\x1b")
    assert lost.returncode == 1 and "parley desk tags" in lost.stderr and "\x1b" not in lost.stderr
    assert parley(gw, "desk", "tag", thread).returncode == 64
    for tag in made:
        gw.delete(f"/v1/desk/tags/{tag}")


def test_notes_lead_no_terminal(gw, team):
    _, (thread, *_) = team
    answer(gw, "desk", "note", thread, "First", "--as", "bo", "--name", "Bo")
    answer(gw, "desk", "note", thread, "-", text=HOSTILE)
    rows = [line.split("\t") for line in answer(gw, "desk", "notes", thread).splitlines()]
    assert [row[1:3] for row in rows] == [["Bo", "First"], ["Agent", SHOWN]]
    assert [each["text"] for each in json.loads(answer(gw, "desk", "notes", thread, "-n", "1", "-o", "json"))["items"]] == [HOSTILE]


def test_a_closed_thread_is_opened_again(gw, team):
    _, (thread, *_) = team
    answer(gw, "desk", "close", thread)
    assert json.loads(answer(gw, "desk", "reopen", thread, "-o", "json"))["state"] == "ready"
    assert parley(gw, "desk", "reopen", thread).returncode == 1


def test_saved_replies_are_found(gw):
    word = uuid.uuid4().hex[:8]
    for name, text in ((f"Hours {word}", "9 to 5"), (f"Refund {word}", HOSTILE)):
        assert gw.post("/v1/desk/answers", {"name": name, "text": text}).status == 201
    rows = [line.split("\t") for line in answer(gw, "desk", "replies", word.upper()).splitlines()]
    assert [row[2:4] for row in rows] == [[f"Hours {word}", "9 to 5"], [f"Refund {word}", SHOWN]]
    found = json.loads(answer(gw, "desk", "replies", "hours", word, "-o", "json"))
    assert [each["text"] for each in found["items"]] == ["9 to 5"]
    assert answer(gw, "desk", "replies", "-o", "json") == gw.get("/v1/desk/answers").text + "\n"


def test_a_report_is_a_table(gw, team):
    channel, (thread, *_) = team
    person = Person(gw, publicName="Mara")
    person.post(f"/v1/desk/threads/{thread}/messages", {"text": "Hi"})
    person.post(f"/v1/desk/threads/{thread}/close")
    rows = [line.split("\t") for line in answer(gw, "desk", "report", "--by", "agent", "--channel", channel).splitlines()]
    assert [row[:4] for row in rows] == [
        ["-", "2", "0", "0"], ["Agent", "1", "0", "0"], ["Mara", "0", "0", "1"], ["total", "3", "0", "1"]]
    assert len({len(row) for row in rows}) == 1
    path = f"/v1/desk/reports?by=day&timeZone=Asia%2FKathmandu&channel={channel}&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z"
    told = answer(gw, "desk", "report", "--time-zone", "Asia/Kathmandu", "--channel", channel, "--since", "2026-01-01T00:00:00Z",
                  "--until", "2026-02-01T00:00:00Z", "-o", "json")
    assert json.loads(told) == gw.get(path).json
    assert re.fullmatch(r"(2026-\d\d-\d\d\n)+", answer(gw, "desk", "report", "--since", "48h", "-o", "id"))
    key = Key(gw, "desk.write")
    refused = parley(gw, "desk", "report", PARLEY_TOKEN=key.text)
    assert refused.returncode == 77 and "reports.read" in refused.stderr
    key.end()
