"""Conversations as files: recorded from the log, and played from scenarios."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import uuid

import lxml.etree
import pytest
from chat import Chat
from commands import Running, answer, environment, parley
from gateway import binary, until

SCENARIO = """\
scenario: Where is my <order>
channel: contract-multi
variables: {order: "7"}
actors:
  ada: {as: customer, firstName: Ada}
  bo: {as: agent, name: Bo}
steps:
  - ada: Where is my order ${order}?
  - bo: {expect: message, from: ada, text: '/order \\d+/', save: {m: message.id}}
  - bo: {typing: 1ms}
  - bo: {text: On its way., replyTo: "${m}"}
  - ada: {expect: message, from: bo, text: On its way., where: {message.parentId: "${m}"}}
  - bo: close
  - ada: {expect: thread, state: closed}
"""


@pytest.fixture
def write(tmp_path):
    def write(text, name="order.yaml"):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)
    return write


def followers(gateway):
    """Since when the desk is followed, by each stream: what other tests have left is not that of a run to come."""
    return {each["since"] for each in gateway.get("/v1/streams")["items"] if each.get("kind") == "desk"}


def test_a_conversation_is_recorded_after_it_has_happened(gw):
    chat = Chat(gw, "contract-multi", firstName="Secretia")
    thread, at_desk = chat.open(name="Private matters")
    chat.open(name="Another")
    id = thread.rpartition("/")[2]
    gw.post(f"{at_desk}/messages", {"text": "Hello Secretia"})
    lines = [json.loads(line) for line in answer(gw, "record", chat.id, id).splitlines()]
    assert lines[0]["format"] == "parley-recording" and lines[0]["channel"] == "contract-multi"
    page = gw.get(f"{chat.path}/events?earliest=true&limit=500", headers={"Accept": "application/json"})["items"]
    of = lambda event: event["data"].get("threadId") or event["data"].get("thread", {}).get("id")
    assert lines[1:] == [event for event in page if of(event) == id]
    assert [e["data"]["message"]["text"] for e in lines[1:] if e["type"] == "message.created"] == ["Hello", "Hello Secretia"]
    assert len(answer(gw, "record", chat.id).splitlines()) == 1 + len(page)


def test_a_redacted_recording_tells_nothing_of_people(gw):
    chat = Chat(gw, "contract-multi", id="secretia@example.com", firstName="Secretia")
    thread, _ = chat.open(name="Private matters")
    chat.say(thread, "My number is 4711")
    chat.say(thread, "My number is 4711")
    out = answer(gw, "record", chat.id, "--redact")
    for word in ("Secretia", "secretia", "Private", "4711", "Hello"):
        assert word not in out
    lines = [json.loads(line) for line in out.splitlines()]
    texts = [e["data"]["message"]["text"] for e in lines[1:] if e["type"] == "message.created"]
    assert len(texts) == 3 and texts[1] == texts[2] != texts[0]
    assert len(texts[1]) == 32 and len(texts[0]) == 8
    assert {e["data"]["message"]["threadId"] for e in lines[1:] if e["type"] == "message.created"} == {thread.rpartition("/")[2]}


def test_a_scenario_with_both_sides_is_played(gw, write):
    ada = f"ada-{uuid.uuid4()}"
    path = write(SCENARIO.replace("{as: customer,", f"{{as: customer, id: '{ada}-${{run}}',"))
    done = parley(gw, "scenario", "run", path, "--speed", "0", "--times", "3")
    assert (done.returncode, done.stdout) == (0, "ok Where is my <order>\n" * 3), done
    played = lambda: [s for s in gw.all("/v1/sessions?limit=200") if s["customer"]["id"].startswith(ada)]
    assert played() == []  # a run ends its sessions
    assert parley(gw, "scenario", "run", path, "--speed", "0", "--keep").returncode == 0
    [kept] = played()
    assert gw.delete(f"/v1/sessions/{kept['id']}").status == 204


def test_a_failing_expectation_is_reported(gw, write):
    path = write(SCENARIO.replace("text: On its way., where", "text: Never, within: 300ms, where"))
    done = parley(gw, "scenario", "run", path, "--speed", "0", "--set", "order=99")
    assert done.returncode == 1
    assert done.stdout.startswith(f"{path}:12: ada expected message.created, message.text Never")
    assert "instead came" in done.stdout and "message.created Bo: On its way." in done.stdout
    assert "    Ada: Where is my order 99?\n    Bo: On its way.\n" in done.stdout
    done = parley(gw, "scenario", "run", path, "--speed", "0", "--report", "junit")
    assert done.returncode == 1
    suite = junit(done.stdout)
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    case = suite.find("testcase")
    assert case.get("name") == "Where is my <order>" and "instead came" in case.find("failure").text
    assert case.get("classname") == path
    tap = parley(gw, "scenario", "run", path, "--speed", "0", "--report", "tap").stdout
    assert tap.startswith("TAP version 13\n1..1\nnot ok 1 - ")


# What readers of JUnit agree on: the schema of Ant's task, of which this is the part that is written here.
JUNIT = lxml.etree.XMLSchema(lxml.etree.fromstring("""
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
  <xs:simpleType name="count"><xs:restriction base="xs:nonNegativeInteger"/></xs:simpleType>
  <xs:simpleType name="seconds"><xs:restriction base="xs:decimal"><xs:minInclusive value="0"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="name"><xs:restriction base="xs:string"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
  <xs:element name="testsuites"><xs:complexType><xs:sequence><xs:element name="testsuite"><xs:complexType>
    <xs:sequence><xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
      <xs:sequence><xs:element name="failure" minOccurs="0"><xs:complexType mixed="true">
        <xs:attribute name="message" type="xs:string"/><xs:attribute name="type" type="name" use="required"/>
      </xs:complexType></xs:element></xs:sequence>
      <xs:attribute name="classname" type="name" use="required"/><xs:attribute name="name" type="name" use="required"/>
      <xs:attribute name="time" type="seconds" use="required"/>
    </xs:complexType></xs:element></xs:sequence>
    <xs:attribute name="name" type="name" use="required"/><xs:attribute name="tests" type="count" use="required"/>
    <xs:attribute name="failures" type="count" use="required"/><xs:attribute name="errors" type="count" use="required"/>
    <xs:attribute name="skipped" type="count" use="required"/><xs:attribute name="time" type="seconds" use="required"/>
  </xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
</xs:schema>"""))


def junit(text):
    """The suite of a report, which is held to the schema and to its own counts."""
    # libxml2 takes no character that XML 1.0 cannot write, neither as it is nor as a reference.
    whole = lxml.etree.fromstring(text.encode(), lxml.etree.XMLParser(recover=False, resolve_entities=False))
    JUNIT.assertValid(whole)
    suite = whole.find("testsuite")
    assert int(suite.get("tests")) == len(suite.findall("testcase"))
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert abs(float(suite.get("time")) - sum(float(each.get("time")) for each in suite)) < 0.01
    return suite


@pytest.mark.parametrize("title, shown", [
    (r'"a]]>b<c>&\"\x27"', """a]]>b<c>&"'"""), (r'"\e[2J\0\x07 bell"', r"\u{1b}[2J\u{0}\u{7} bell"),
    (r'"two\r\nlines\tand\r"', r"two\u{d}\u{a}lines\u{9}and\u{d}"), (r'"\uFFFE\uFFFF"', "\ufffd\ufffd"),
    (r'"\x7F\x85\u2028\u202E é \U0001F600"', "\\u{7f}\\u{85}\\u{2028}\\u{202e} é \U0001f600"),
    (r'"<![CDATA[x]]>"', "<![CDATA[x]]>"), (r'"<!ENTITY x SYSTEM \"file:///etc/passwd\">&x;"', '<!ENTITY x SYSTEM "file:///etc/passwd">&x;'),
    (r'"--><!-- <?x?>"', "--><!-- <?x?>"),
], ids=range(8))
def test_hostile_names_are_data_in_a_report(gw, write, title, shown):
    said = title.replace("\\0", "")  # no message has it
    steps = f"  - ada: {said}\n  - ada: {{expect: message, from: bo, text: {said}, within: 1ms}}\n"
    text = SCENARIO.partition("steps:")[0].replace("Where is my <order>", title) + "steps:\n" + steps
    done = parley(gw, "scenario", "run", write(text), "--speed", "0", "--report", "junit", "--times", "2")
    assert done.returncode == 1, done
    suite = junit(done.stdout)
    assert [case.get("name") for case in suite] == [shown] * 2
    failure = suite[0].find("failure")
    assert failure.get("message") and failure.text.startswith(failure.get("message"))
    # A reader of TAP finds a plan and one result, whatever ends a line for it.
    lines = re.split(r"[\r\n\v\f\x85\u2028\u2029]", parley(gw, "scenario", "run", write(text), "--speed", "0", "--report", "tap").stdout)
    assert len(lines) > 4 and [line.partition(" ")[0] for line in lines[:3]] == ["TAP", "1..1", "not"]
    assert all(line.startswith("# ") or not line for line in lines[3:])


def test_a_report_of_runs_that_went_well(gw, write):
    done = parley(gw, "scenario", "run", write(SCENARIO), "--speed", "0", "--report", "junit", "--times", "2", "--parallel", "2")
    suite = junit(done.stdout)
    assert (done.returncode, suite.get("tests"), suite.get("failures")) == (0, "2", "0")


def test_what_was_before_the_last_step_is_not_taken_for_new(gw, write):
    steps = "  - ada: One\n  - bo: Hello\n  - ada: Two\n  - ada: {expect: message, text: Hello, within: 300ms}\n"
    old = write(SCENARIO.partition("steps:")[0] + "steps:\n" + steps)
    assert parley(gw, "scenario", "run", old, "--speed", "0").returncode == 1
    steps = "  - ada: Two\n  - bo: Hello\n  - bo: Again\n  - ada: {expect: message, text: Hello}\n"
    new = write(SCENARIO.partition("steps:")[0] + "steps:\n" + steps)
    assert parley(gw, "scenario", "run", new, "--speed", "0").returncode == 0


@pytest.mark.parametrize("count", [int(os.environ.get("PARLEY_SCENARIOS", 0)) or 25])
def test_runs_side_by_side_do_not_take_each_others_events(own, write, count):
    # Texts are the same in all runs: only the conversation tells whose event one is.
    path = write(SCENARIO.replace("steps:", "within: 60s\nsteps:"))
    start = time.monotonic()
    done = subprocess.run(
        [binary(), "scenario", "run", path, "--speed", "0", "--times", str(count), "--parallel", str(count), "--report", "tap"],
        env=environment(own), capture_output=True, text=True, timeout=590)
    print(f"{count} runs side by side: {time.monotonic() - start:.1f} s")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    assert done.stdout.count("\nok ") == count
    assert own.all("/v1/sessions?channel=contract-multi") == []


def test_runs_side_by_side_each_have_an_external_customer_of_their_own(gw, write):
    path = write("channel: contract-multi\nactors:\n  app: {as: customer, external: true}\n  bo: {as: agent}\nsteps:\n"
                 "  - bo: {expect: message, save: {m: message.id}}\n  - bo: {text: 'Good day', replyTo: '${m}'}\n")
    before = followers(gw)
    with Running(gw, "scenario", "run", path, "--speed", "0", "--times", "3", "--parallel", "3") as run:
        until("the stream", lambda: followers(gw) - before)
        chats = [Chat(gw, "contract-multi") for _ in range(3)]
        threads = [chat.open()[0] for chat in chats]
        assert run.wait() == 0, run.line("stderr")
    for thread in threads:
        assert [m["text"] for m in gw.get(f"{thread}/messages")["items"]] == ["Good day", "Hello"]


def test_an_external_agent_is_the_program_under_test(gw, write):
    path = write("channel: contract-multi\nactors:\n  ada: {as: customer}\n  bot: {as: agent, external: true}\nsteps:\n"
                 "  - ada: Marco ${run}\n  - bot: is passed over\n  - ada: {expect: message, from: bot, text: Polo}\n")
    with gw.events("/v1/desk/events?types=message.created") as events:
        events.wait("ready")
        with Running(gw, "scenario", "run", path, "--speed", "0") as run:
            while not (said := events.wait("message.created").data)["message"].get("text", "").startswith("Marco "):
                pass
            gw.post(f"/v1/desk/threads/{said['threadId']}/messages", {"text": "Polo"})
            assert run.wait() == 0


def test_an_external_customer_is_the_program_under_test(gw, write):
    chat = Chat(gw, "contract-multi")
    path = write(f"channel: contract-multi\nactors:\n  app: {{as: customer, external: true, id: '{chat.customer}'}}\n"
                 "  bo: {as: agent}\nsteps:\n  - bo: {expect: message, from: app, text: Hello}\n  - bo: Good day\n")
    thread = chat.thread()
    before = followers(gw)
    with Running(gw, "scenario", "run", path, "--speed", "0") as run, chat.events() as events:
        events.wait("ready")
        # The run is there when the desk's stream has a reader; until then the app says nothing.
        until("the run's stream", lambda: followers(gw) - before)
        chat.say(thread)
        while events.wait("message.created").data["message"]["text"] != "Good day":
            pass
        assert run.wait() == 0


TEXTS = ["Hello *you*", "/no expression/", "${x} $${y}", "close", 'say "hi" \\ # {a: b}', "two\nlines\u2028here", "\U0001F600 é", "\ufeffa\ufeff", "\\uFEFF"]


@pytest.fixture(scope="module")
def recorded(gw, tmp_path_factory):
    """The scenario of a conversation that happened: texts that YAML could take for something else, replies, an end."""
    chat = Chat(gw, "contract-multi", firstName="Ada: the first")
    thread = chat.thread()
    at_desk = "/v1/desk/threads/" + thread.rpartition("/")[2]
    for text in TEXTS:
        said = chat.say(thread, text)
        gw.post(f"{at_desk}/messages", {"text": text, "agent": {"id": "bo", "name": "Bo"}, "parentId": said["id"]})
    gw.post(f"{thread}/read")
    gw.post(f"{at_desk}/read")
    gw.post(f"{at_desk}/close")
    file = tmp_path_factory.mktemp("recorded") / "order.jsonl"
    file.write_text(answer(gw, "record", chat.id))
    return answer(None, "scenario", "from", str(file))


def transcript(gateway, path):
    return [(m["author"]["kind"], m["text"]) for m in reversed(gateway.get(f"{path}/messages?limit=200")["items"])]


SAID = [(kind, text) for text in TEXTS for kind in ("customer", "agent")]


@pytest.mark.parametrize("place", ["embedded", "second", "sandbox"])
def test_a_recorded_conversation_is_replayed(gw, own, recorded, write, place):
    near, text = (gw if place == "embedded" else own), recorded
    if place == "sandbox":
        # The session is at one gateway, and the desk at the gateway whose sandbox is the platform.
        sandbox = gw.get("/v1/info")["sandbox"]
        channel = next(c for c in sandbox["channels"] if c["channel"] == "contract-multi")
        urls = {"chat": sandbox["url"] + "/chat", "socket": sandbox["socket"], "token": sandbox["url"]}
        where = {"service": "cxone", "brandId": sandbox["brandId"], "channelId": channel["id"], "urls": urls}
        text = text.replace('channel: "${channel}"', "channel: " + json.dumps(where))
        desk = {"as": "agent", "gateway": gw.origin, "tokenFile": str(gw.folder / "token")}
        text = text.replace("{as: agent}", json.dumps(desk))
    ada = f"replayed-{uuid.uuid4()}"
    text = text.replace("{as: customer,", f"{{as: customer, id: {ada},")
    done = parley(near, "scenario", "run", write(text), "--speed", "0", "--keep")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr + text
    [session] = near.all(f"/v1/sessions?customer={ada}")
    thread = near.get(f"/v1/sessions/{session['id']}/threads")["items"][0]
    assert transcript(near, f"/v1/sessions/{session['id']}/threads/{thread['id']}") == SAID
    assert transcript(gw if place == "sandbox" else near, f"/v1/desk/threads/{thread['id']}") == SAID
    assert (gw if place == "sandbox" else near).get(f"/v1/desk/threads/{thread['id']}")["state"] == "closed"
    assert near.delete(f"/v1/sessions/{session['id']}").status == 204


@pytest.mark.parametrize("text, line, words", [
    ("", 1, "no recording"), ("{}\n", 1, "no recording"),
    ('{"format":"parley-recording","version":1}\n{', 2, "not JSON"),
    ('{"format":"parley-recording","version":1}\n', 1, "no message"),
], ids=range(4))
def test_what_is_no_recording_is_refused(write, text, line, words):
    path = write(text, "a.jsonl")
    done = parley(None, "scenario", "from", path)
    assert (done.returncode, done.stdout) == (64, ""), done
    assert done.stderr.startswith(f"parley: {path}:{line}: ") and words in done.stderr


BOMB = "a: &a [x,x]\n" + "".join(f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9))


@pytest.mark.parametrize("text, line, words", [
    (SCENARIO.replace("within", "x").replace("save:", "sav:"), 9, "no member sav"),
    (SCENARIO.replace("firstName", "nick"), 5, "no member nick"),
    (SCENARIO.replace("${order}", "${ordr}"), 8, "variable ordr"),
    (SCENARIO.replace("- bo: close", "- eve: close"), 13, "no member eve"),
    (SCENARIO.replace("- bo: close", "- fault: {kin: dropSocket}"), 13, "no member kin"),
    (SCENARIO.replace("- bo: close", "- bo: {close: false}"), 13, "only true"),
    (SCENARIO.replace("name: Bo", "tokenFile: x"), 6, "beside gateway"),
    (SCENARIO.replace("\\d+/", "(\\d+/"), 9, "no regular expression"),
    (SCENARIO + "  - ada: *a\n", 15, "not YAML"), (SCENARIO + "x: [", 16, "not YAML"),
    (SCENARIO.replace("steps:", "steps: &a"), 7, "anchors"),
    (BOMB + "? *j\n: 1\n", 1, "no aliases"), (SCENARIO + "  - ada: " + "[" * 5000, 15, "not YAML"),
    ("#" * 300_000, 1, "256 KiB"), ("", 1, "empty"),
    (SCENARIO + "  - ada: " + "{text: " * 900 + "x" + "}" * 900, 15, "a text was expected"),
], ids=range(16))
def test_a_wrong_file_is_refused_with_its_line(gw, write, text, line, words):
    path = write(text)
    done = parley(gw, "scenario", "run", path)
    assert (done.returncode, done.stdout) == (64, ""), done
    assert done.stderr.startswith(f"parley: {path}:{line}: ") and words in done.stderr, done.stderr[:400]


def test_a_fault_of_the_sandbox_is_a_step(own, write):
    step = "  - fault: {kind: delayAnswer, event: SendMessage, milliseconds: 5, customer: 'ada-${order}'}\n"
    assert parley(own, "scenario", "run", write(SCENARIO + step), "--speed", "0").returncode == 0
    assert [(f["kind"], f["milliseconds"], f["customer"]) for f in own.get("/v1/sandbox/faults")["items"]] == [
        ("delayAnswer", 5, "ada-7")]
    done = parley(own, "scenario", "run", write(SCENARIO + "  - fault: {kind: rain}\n"), "--speed", "0")
    assert done.returncode == 1 and ":15: " in done.stdout


# -- the article

def test_the_scenarios_of_the_article_are_played(gw, write):
    text = (pathlib.Path(__file__).resolve().parents[2] / "Sources/parley/Parley.docc/ScenariosInCI.md").read_text()
    bot, app, *_ = [block.replace("channel: multi\n", "channel: contract-multi\n") for block in re.findall(r"```yaml\n(.*?)```", text, re.S)]
    chat = Chat(gw, "contract-multi", id="ci")
    before = followers(gw)
    with Running(gw, "scenario", "run", write(app, "app.yaml"), "--speed", "0") as run, chat.events() as events:
        until("the stream", lambda: followers(gw) - before)
        thread = chat.thread()
        chat.say(thread)
        while "On its way (" not in events.wait("message.created").data["message"]["text"]:
            pass
        gw.post(f"{thread}/read")
        assert run.wait() == 0
    with gw.events("/v1/desk/events?types=message.created") as events:
        events.wait("ready")
        with Running(gw, "scenario", "run", write(bot, "bot.yaml"), "--speed", "0") as run:
            for question, reply in [("When are you open?", "9 to 17"), ("And on Sunday?", "We are closed.")]:
                while (said := events.wait("message.created").data)["message"]["text"] != question:
                    pass
                gw.post(f"/v1/desk/threads/{said['threadId']}/messages", {"text": reply})
            assert run.wait() == 0


# -- the program under test

ASKED = """\
channel: contract-multi
within: 20s
actors: {ada: {as: customer}, bot: {as: agent, external: true}}
"""
BOT = """\
import json, os, sys, urllib.request
at, token = os.environ["PARLEY_GATEWAY"], os.environ["PARLEY_TOKEN"]
def ask(path, body=None):
    head = {"Authorization": "Bearer " + token, "Content-Type": "application/json", "Accept": "application/jsonl"}
    return urllib.request.urlopen(urllib.request.Request(at + path, body and json.dumps(body).encode(), head))
feed = ask("/v1/desk/events?types=message.created")
feed.readline()
print("connected", flush=True)
for line in feed:
    data = json.loads(line).get("data", {})
    if data.get("message", {}).get("author", {}).get("kind") == "customer":
        # Before the answers: a scenario that fails by one of them ends this program at once.
        print("asked \\x1b[2J", flush=True)
        for _ in range(int(sys.argv[2])):
            ask("/v1/desk/threads/" + data["threadId"] + "/messages", {"text": sys.argv[1]})
"""


@pytest.fixture
def bot(tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    return lambda text, count: f"run: {{command: 'exec {sys.executable} bot.py {text} {count}', ready: ^connected}}\n"


def test_a_program_is_started_and_ended(gw, write, bot, tmp_path):
    steps = "steps:\n  - ada: Marco\n  - ada: {expect: message, from: bot, text: Polo, once: 300ms}\n  - ada: {nothingElse: 100ms}\n"
    done = parley(gw, "scenario", "run", write(bot("Polo", 1) + ASKED + steps), "--speed", "0", "--times", "2")
    assert (done.returncode, done.stdout.count("ok ")) == (0, 2), done
    twice = parley(gw, "scenario", "run", write(bot("Polo", 2) + ASKED + steps), "--speed", "0")
    assert twice.returncode == 1 and "expected message.created, message.text Polo once; a second one came" in twice.stdout
    assert "the program wrote:\n    connected\n    asked \\u{1b}[2J\n" in twice.stdout
    assert not [each for each in running() if str(tmp_path) in each]


def running():
    """The folders of all processes."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            found.append(os.readlink(process / "cwd"))
        except OSError:
            pass
    return found


@pytest.mark.parametrize("command, words", [
    ("./none", "the program has ended with status 127"), ("echo so; exit 3", "the program has ended with status 3"),
    ("kill -SEGV $$", "the program has ended by signal 11")])
def test_a_program_that_fails_is_a_failure(gw, write, command, words):
    done = parley(gw, "scenario", "run", write(f"run: '{command}'\n" + ASKED + "steps:\n  - ada: {nothingElse: 500ms}\n"), "--speed", "0")
    assert done.returncode == 1 and words in done.stdout, done


def test_a_program_that_writes_without_end_keeps_nobody_waiting(gw, write):
    steps = "steps:\n  - ada: {expect: message, from: bot, text: Polo, within: 100ms}\n"
    done = parley(gw, "scenario", "run", write("run: {command: 'yes', ready: ^y}\n" + ASKED + steps), "--speed", "0")
    assert done.returncode == 1 and done.stdout.count("\n    y") == 50, done


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGKILL])
def test_a_program_ends_with_the_command(gw, write, tmp_path, sign):
    """However the command ends; also the children of the program, and those that ignore the first signal."""
    (tmp_path / "work").mkdir()
    path = write("run: \"cd work && trap '' TERM && sleep 600 & sleep 600\"\n" + ASKED + "steps:\n  - ada: {nothingElse: 60s}\n")
    with Running(gw, "scenario", "run", path, "--speed", "0") as run:
        until("the program", lambda: str(tmp_path / "work") in running())
        run.process.send_signal(sign)
        run.wait()
    until("all have ended", lambda: not [each for each in running() if each.startswith(str(tmp_path))])


def test_a_customer_sends_files_and_answers(gw, write, tmp_path):
    (tmp_path / "photo.txt").write_text("see")
    name = f"filer-{uuid.uuid4()}"
    path = write(SCENARIO.partition("actors:")[0] + f"""\
actors: {{ada: {{as: customer, id: {name}}}, bo: {{as: agent}}}}
steps:
  - ada: {{file: photo.txt, text: Look}}
  - bo: {{expect: message, where: {{message.attachments.0.name: photo.txt, 'message.attachments.*.size': 3}}}}
  - ada: {{text: 'Yes', postback: 'y'}}
  - bo: {{expect: message, text: 'Yes', within: 5s}}
  - bo: {{file: photo.txt}}
  - ada: {{expect: message, where: {{message.attachments.1.name: photo.txt}}, within: 300ms}}
""")
    done = parley(gw, "scenario", "run", path, "--speed", "0")
    assert done.returncode == 1 and f"{path}:11: " in done.stdout, done
    assert "message.attachments.1.name is not there: message.attachments has 1 element" in done.stdout


def test_a_run_leaves_no_open_thread(gw, write):
    name = f"leaver-{uuid.uuid4()}"
    path = write(SCENARIO.partition("steps:")[0].replace("firstName: Ada", f"firstName: {name}") + "steps:\n  - ada: Hello\n")
    assert parley(gw, "scenario", "run", path, "--speed", "0").returncode == 0
    left = [t for t in gw.all("/v1/desk/threads?channel=contract-multi") if t["customer"].get("firstName") == name]
    assert [t["state"] for t in left] in ([], ["closed"])
