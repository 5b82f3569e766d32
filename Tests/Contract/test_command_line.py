"""The commands that ask a running gateway: what they print, where, and with which exit status."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess

import pytest
from chat import Chat
from commands import Running, answer, environment, parley
from gateway import Gateway, binary

ARTICLE = pathlib.Path(__file__).resolve().parents[2] / "Sources/parley/Parley.docc/CommandLine.md"


@pytest.fixture
def talk(gw):
    """A chat whose thread has a message of the customer and an answer; and what commands call them."""
    chat = Chat(gw, "contract-multi", firstName="Ann")
    thread, at_desk = chat.open(name="Order")
    gw.post(f"{at_desk}/messages", {"text": "Yes?"})
    chat.thread_id = thread.rpartition("/")[2]
    return chat


# -- one table: forms and streams of every command

READS = [
    ("status",), ("sessions",), ("sessions", "list"), ("sessions", "show", "S"), ("threads", "S"),
    ("threads", "S", "--state", "open"), ("messages", "S"), ("messages", "S", "T"), ("messages", "S", "-n", "1"),
    ("desk", "threads"), ("desk", "messages", "T"), ("desk", "channels"), ("sessions", "new", "--channel", "contract-multi"),
    ("send", "S", "Hello"), ("send", "S", "T", "Hello"), ("desk", "send", "T", "Hello", "--as", "bo", "--name", "Bo"),
    ("desk", "read", "T"), ("desk", "assign", "T", "--as", "bo"), ("desk", "release", "T"), ("desk", "close", "T"),
    ("desk", "threads", "--order", "waiting", "--snoozed", "exclude", "--agent", "none"), ("desk", "claim", "T", "--as", "bo"),
    ("desk", "snooze", "T", "--for", "2h"), ("desk", "unsnooze", "T"), ("desk", "tag", "T", "--none"),
    ("desk", "note", "T", "Call her"), ("desk", "report", "--by", "channel"),
    ("tail", "S", "-n", "3", "--no-follow"), ("tail", "--desk", "-n", "3", "--no-follow"),
    ("wait", "S", "--after", "C", "--timeout", "10s"),
]


def filled(words, talk):
    names = {"S": talk.id, "T": talk.thread_id, "C": talk.session["cursor"]}
    return [names.get(word, word) for word in words]


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "id"])
@pytest.mark.parametrize("words", READS, ids=" ".join)
def test_a_command_prints_its_answer_alone(gw, talk, words, form):
    told = answer(gw, *filled(words, talk), "-q", "-o", form)
    if words[:2] == ("desk", "read"):
        return
    assert told.endswith("\n")
    # By line feeds alone: a text in JSON may have other ends of lines.
    lines = told.removesuffix("\n").split("\n")
    if form == "json" and words[0] not in ("tail", "wait"):
        json.loads(told)
    elif form in ("json", "jsonl"):
        items = [json.loads(line) for line in lines]
        if words[0] in ("tail", "wait"):
            assert all(set(item) <= {"id", "type", "data"} for item in items)
    elif form == "id":
        assert all(re.fullmatch(r"[!-~]+", line) for line in lines)
    elif words[0] != "status":
        assert len({line.count("\t") for line in lines}) == 1, "each row has all columns"


def test_json_is_the_gateways(gw, talk):
    path = f"/v1/sessions/{talk.id}/threads"
    assert answer(gw, "threads", talk.id, "-o", "json") == gw.get(f"{path}?limit=200").text + "\n"
    assert answer(gw, "threads", talk.id, PARLEY_OUTPUT="json") == gw.get(f"{path}?limit=200").text + "\n"
    assert answer(gw, "api", path.removeprefix("/")) == gw.get(path).text + "\n"


def test_a_transcript_is_oldest_first(gw, talk):
    rows = [line.split("\t") for line in answer(gw, "messages", talk.id).splitlines()]
    assert [row[1:3] for row in rows] == [["Ann", "Hello"], ["Agent", "Yes?"]]


def test_long_lists_are_whole(own):
    for number in range(205):
        own.post("/v1/sessions", {"channel": "contract-multi", "customer": {"id": f"c{number}"}, "connect": False})
    assert len(answer(own, "sessions", "-o", "id").splitlines()) == 205
    whole = json.loads(answer(own, "sessions", "-o", "json"))
    assert len(whole["items"]) == 205 and "next" not in whole and whole["cursor"]
    assert len(json.loads(answer(own, "api", "v1/sessions", "--all-pages"))["items"]) == 205


def test_a_message_is_sent_once_under_its_id(gw, talk):
    first, second = (answer(gw, "send", talk.id, "Once", "--id", "once", "-o", "json") for _ in range(2))
    assert first == second
    assert parley(gw, "send", talk.id, "Other", "--id", "once").returncode == 1


def test_text_and_files_come_from_outside(gw, talk, tmp_path):
    (tmp_path / "ein Foto.txt").write_text("bytes")
    sent = json.loads(answer(
        gw, "send", talk.id, "-", "--file", str(tmp_path / "ein Foto.txt"), "-o", "json", text="two\nlines\n"))
    assert sent["text"] == "two\nlines"
    assert [(each["name"], each["mimeType"]) for each in sent["attachments"]] == [("ein Foto.txt", "text/plain")]
    desk = json.loads(answer(
        gw, "desk", "send", talk.thread_id, "--file", str(tmp_path / "ein Foto.txt"), "--reply-to", sent["id"], "-o", "json"))
    assert desk["attachments"] and desk["parentId"] == sent["id"]


def test_texts_of_others_lead_no_terminal(gw, talk):
    hostile = "a\x1b]0;owned\x07b\x9b2Jc\u202ed\re\nf\tg"
    gw.post(f"/v1/sessions/{talk.id}/threads/{talk.thread_id}/messages", {"text": hostile})
    gw.patch(f"/v1/sessions/{talk.id}/threads/{talk.thread_id}", {"name": hostile})
    for words in [("messages", talk.id), ("threads", talk.id), ("desk", "threads"), ("desk", "messages", talk.thread_id),
                  ("tail", talk.id, "-n", "5", "--no-follow")]:
        told = answer(gw, *words, "-q")
        assert r"a\u{1b}]0;owned\u{7}b\u{9b}2Jc\u{202e}d\u{d}e\u{a}f\u{9}g" in told, words
        assert not set(told) & set("\x1b\x07\x9b\u202e\r"), words
        shown = answer(gw, *words, "-q", "-o", "jsonl")
        assert not set(shown) & set("\x1b\x07\r"), words


# -- exit statuses and errors

def test_exit_statuses(gw, talk, tmp_path):
    def status(*words, **more):
        done = parley(gw, *words, **more)
        assert done.stdout == "" and done.stderr.count("\n") >= 1, done
        return done.returncode

    assert status("sessions", "show", "none") == 1
    assert status("threads") == 64
    assert status("send", talk.id) == 64
    assert status("tail") == 64
    assert status("messages", talk.id, "-o", "xml") == 64
    assert status("sessions", PARLEY_OUTPUT="xml") == 64
    assert status("sessions", PARLEY_GATEWAY="nowhere") == 64
    assert status("sessions", PARLEY_DATA=str(tmp_path)) == 69
    assert status("sessions", PARLEY_GATEWAY="http://127.0.0.1:9") == 69
    assert status("sessions", PARLEY_TOKEN="wrong") == 77
    assert status("desk", "threads", PARLEY_TOKEN=talk.token) == 77
    assert status("wait", talk.id, "--timeout", "100ms", "-q") == 124
    assert parley(gw, "threads", talk.id, PARLEY_TOKEN=talk.token).returncode == 0


def test_lists_take_times(gw, talk):
    """`--since` and `--until`: times, or how long ago."""
    at_desk = f"/v1/desk/threads/{gw.get(f'{talk.path}/threads')['items'][0]['id']}"
    active = gw.get(at_desk)["lastMessage"]["createdAt"]
    ids = lambda *words: [one["id"] for one in json.loads(parley(gw, *words, "-o", "json").stdout)["items"]]
    thread = at_desk.rpartition("/")[2]
    assert thread in ids("desk", "threads", "--since", active) and thread not in ids("desk", "threads", "--until", active)
    assert thread in ids("desk", "threads", "--since", "1h") and thread not in ids("desk", "threads", "--until", "1h")
    assert thread in ids("threads", talk.id, "--since", active) and thread not in ids("threads", talk.id, "--until", active)
    assert ids("messages", talk.id, thread, "--since", active) and not ids("messages", talk.id, thread, "--until", "1d")
    wrong = parley(gw, "desk", "threads", "--until", "yesterday")
    assert wrong.returncode == 64 and "--until needs a time" in wrong.stderr
    turned = parley(gw, "desk", "threads", "--since", "1h", "--until", "2h")
    assert turned.returncode == 1 and "since" in turned.stderr


def test_a_status_that_may_pass(tmp_path):
    """503: another try may help. A stand-in answers, for the gateway itself is well."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        process = subprocess.Popen(
            [binary(), "sessions", "--gateway", f"http://127.0.0.1:{server.getsockname()[1]}"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment())
        link, _ = server.accept()
        link.recv(65536)
        body = b'{"code":"busy","detail":"Come back later.","retryAfter":3}'
        link.sendall(b"HTTP/1.1 503 Busy\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        out, error = process.communicate(timeout=30)
        link.close()
    assert (process.returncode, out) == (75, "")
    assert "Try again in 3 s" in error


def test_an_error_names_the_next_step(gw, tmp_path):
    error = parley(gw, "sessions", PARLEY_DATA=str(tmp_path)).stderr
    assert str(tmp_path / "address") in error and "--gateway" in error
    assert "parley sessions" in parley(gw, "threads", "none").stderr
    chat = Chat(gw, "contract-multi")
    assert f"v1/sessions/{chat.id}/threads" in parley(gw, "send", chat.id, "Hello").stderr
    chat.thread(), chat.thread()
    assert f"parley threads {chat.id}" in parley(gw, "send", chat.id, "Hello").stderr
    error = parley(gw, "--data", "/d", "-o", "json", "status").stderr
    assert "Options stand after the command: parley status --data /d -o json" in error


def test_an_error_is_json_where_json_was_asked_for(gw, tmp_path):
    for words, code in [
        (("sessions", "show", "none", "-o", "json"), "unknownSession"), (("api", "v1/none"), "notFound"),
        (("tail", "none", "-o", "jsonl"), "unknownSession"),
        (("status", "--gateway", "http://127.0.0.1:9", "-o", "json"), "noGateway"),
    ]:
        done = parley(gw, *words)
        assert done.stdout == "" and done.stderr.count("\n") == 1
        assert json.loads(done.stderr)["code"] == code


def test_interrupted(gw, talk):
    """It dies by the signal, which a shell tells as 130."""
    with Running(gw, "tail", talk.id) as tail:
        tail.told("following from")
        tail.process.send_signal(signal.SIGINT)
        assert tail.wait() == -signal.SIGINT


def test_a_reader_that_goes_away_ends_the_command(gw, talk):
    """Also a command that has nothing to print."""
    done = subprocess.run(
        ["bash", "-c", '"$0" tail "$1" | true; exit ${PIPESTATUS[0]}', binary(), talk.id], env=environment(gw), timeout=30)
    assert done.returncode in (0, 128 + signal.SIGPIPE)


# -- api

def test_api_makes_any_request(gw, talk):
    path = f"v1/sessions/{talk.id}/threads/{talk.thread_id}"
    assert json.loads(answer(gw, "api", f"/{path}/messages", "-f", "text=Hi there"))["text"] == "Hi there"
    assert json.loads(answer(gw, "api", "PATCH", path, "-f", "name:=null")).get("name") is None
    assert len(json.loads(answer(gw, "api", f"{path}/messages", "-q", "limit=1"))["items"]) == 1
    assert json.loads(answer(gw, "api", f"{path}/messages", "--input", "-", text='{"text":"Hello"}'))["text"] == "Hello"
    assert answer(gw, "api", "-i", "livez").startswith("HTTP/1.1 200 ")
    assert answer(gw, "api", "POST", f"{path}/read") == ""
    for wrong in [("-f", "a"), ("-f", "a:=x"), ("-f", "a=1", "--input", "-"), ("-q", "a"), ("-o", "table")]:
        assert parley(gw, "api", path, *wrong).returncode == 64, wrong
    assert parley(gw, "api", "a b").returncode == 64


def test_api_follows_a_stream(gw, talk):
    with Running(gw, "api", f"v1/sessions/{talk.id}/events") as events:
        while events.line() != "event: ready":
            pass


# -- over the UNIX socket

@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """A gateway that listens on a UNIX socket alone. Its folder is for the tests of commands only."""
    folder = tmp_path_factory.mktemp("unix")
    gateway = Gateway(folder)
    gateway.folder.mkdir()
    process = subprocess.Popen(
        [binary(), "serve", "--listen", f"unix:{folder}/sock", "--data", str(gateway.folder)],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment())
    try:
        for line in process.stderr:
            if "data folder" in line:
                break
        yield gateway
    finally:
        process.terminate()
        process.wait(30)
        process.stderr.close()


def test_the_socket_is_found(local):
    assert (local.folder / "socket").read_text() == f"{local.folder.parent}/sock\n"
    assert not (local.folder / "address").exists()
    status = json.loads(answer(local, "status", "-o", "json"))
    assert status["ready"] and status["gateway"] == f"unix:{local.folder.parent}/sock"
    refused = parley(local, "open")
    assert refused.returncode == 1 and "--listen 127.0.0.1" in refused.stderr


def test_the_own_user_needs_no_token_over_the_socket(local, tmp_path):
    address = f"unix:{local.folder.parent}/sock"
    done = parley(None, "sessions", "--gateway", address, HOME=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "")
    # A token that is given counts, and is not covered up by the user.
    assert parley(None, "sessions", "--gateway", address, PARLEY_TOKEN="wrong", HOME=str(tmp_path)).returncode == 77
    with Running(None, "tail", "--desk", "--gateway", address, HOME=str(tmp_path)) as tail:
        tail.told("following from")
        session = json.loads(answer(local, "sessions", "new", "--channel", "single", "-o", "json"))
        answer(local, "send", session["id"], "Over the socket", "-q")
        # Neither is a session's token widened by the user.
        token = {"PARLEY_TOKEN": session["token"], "HOME": str(tmp_path)}
        assert parley(None, "threads", session["id"], "--gateway", address, **token).returncode == 0
        assert parley(None, "sessions", "--gateway", address, **token).returncode == 77
        while "Over the socket" not in tail.line():
            pass


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_another_user_needs_a_token_even_where_the_socket_lets_it_in(local):
    path = local.folder.parent / "sock"
    held = path.stat().st_mode
    folders = [each for each in path.parents if each.stat().st_mode & 1 == 0]
    modes = {each: each.stat().st_mode for each in folders}
    try:
        os.chmod(path, 0o777)
        for each in folders:
            os.chmod(each, modes[each] | 0o1)
        got = subprocess.run(
            ["python3", "-c", "import os, socket, sys; os.setgid(65534); os.setuid(65534);"
             "s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
             "s.sendall(b'GET /v1/sessions HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n');"
             "print(s.recv(12).decode())", str(path)], capture_output=True, text=True, timeout=30)
        assert got.stdout.strip() == "HTTP/1.1 401", got
    finally:
        os.chmod(path, held)
        for each, mode in modes.items():
            os.chmod(each, mode)


# -- the article

def test_every_command_of_the_article(tmp_path):
    text = ARTICLE.read_text()
    script = "\n".join(re.findall(r"```sh\n(.*?)```", text, re.S))
    with Gateway() as gateway:
        path = f"{os.path.dirname(binary())}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, env=environment(gateway, PATH=path),
            capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done
    for words in ["Where is my order?", "photo-1", "[photo.txt]", "On its way.", '"type":"message.created"', "Is it there?"]:
        assert words in done.stdout, words
    help = subprocess.run([binary(), "--help"], capture_output=True, text=True, timeout=30).stdout
    groups = help.partition("CHATS")[2]
    names = set(re.findall(r"^  ([a-z]+) ", groups, re.MULTILINE)) | {"status"}
    assert names >= {"sessions", "send", "tail"}
    for name in names:
        assert re.search(rf"parley {name}\b", script), f"the article has no example of parley {name}"
