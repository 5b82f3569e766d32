"""Nothing secret in the log, at any level and verbosity; and every line can be read by a machine."""

import contextlib
import os
import pty
import re
import subprocess
import uuid

import pytest
from database import IS_POSTGRES
from serving import Chat, Gateway, binary
from streams import Stream

PAIR = r'[A-Za-z_][A-Za-z0-9_.-]*=(?:"(?:[^"\\\x00-\x1f]|\\.)*"|[^\s"=]+)'
LINE = re.compile(rf"{PAIR}(?: {PAIR})*")


class Secrets:
    """Words that must not be found again."""

    def __init__(self):
        self.words = {}

    def __call__(self, name):
        word = f"secret{uuid.uuid4().hex}"
        self.words[word] = name
        return word

    def add(self, name, word):
        self.words[word] = name
        return word

    def check(self, text):
        for word, name in self.words.items():
            at = text.find(word)
            assert at < 0, f"the log tells {name}: {text[max(0, at - 200):at + len(word)]}"


def exercise(gateway, secret):
    """Uses every door with marked words, rightly and wrongly."""
    chat = Chat(gateway, firstName=secret("a customer's first name"), lastName=secret("a customer's last name"))
    secret.add("a session's token", chat.token)
    secret.add("a session's token's signature", chat.token.rpartition(".")[2])
    thread = chat.thread()
    path = chat.messages_path(thread)
    with Stream(gateway, f"{chat.path}/events", chat.token) as stream:
        message = chat.say(thread, secret("a message's text"))
        at_desk = f"/v1/desk/threads/{thread}"
        gateway.post(f"{at_desk}/messages", {"text": secret("an agent's text")})
        gateway.call("PATCH", f"{path}/{message['id']}", {"text": secret("an edited text")}, token=chat.token)
        gateway.call("PATCH", f"{chat.path}/threads/{thread}", {"name": secret("a thread's name")}, token=chat.token)
        gateway.call("PUT", f"{chat.path}/threads/{thread}/customFields", {"customFields": {"k": secret("a custom field")}}, token=chat.token)
        gateway.call("PUT", f"{chat.path}/customer", {"firstName": secret("a changed name")}, token=chat.token)
        gateway.post(f"{at_desk}/typing", {"isTyping": True})
        stream.collect(lambda event: event.name == "typing")
    gateway.post(path, {"text": secret("a text with an Idempotency-Key")}, token=chat.token,
                 headers={"Idempotency-Key": secret("an Idempotency-Key")})
    # Refused in each way there is.
    id = message["id"]
    assert gateway.post(path, {"id": id, "text": secret("a text whose id is taken")}, token=chat.token).status == 409
    assert gateway.post(path, {"text": secret("a text that is too long") + "x" * 66000}, token=chat.token).status == 422
    assert gateway.post(path, {"text": secret("a text with an unknown member"), secret("an unknown member"): 1}, token=chat.token).status == 422
    assert gateway.post(path, {"text": [secret("a text in a list")]}, token=chat.token).status == 422
    client = gateway.client(chat.token)
    client._connection.request("POST", path, f'{{"text": "{secret("a text in broken JSON")}',
                               {"Authorization": f"Bearer {chat.token}", "Content-Type": "application/json"})
    response = client._connection.getresponse()
    assert response.status == 400 and response.read()
    client.close()
    assert gateway.get(f"{path}?{secret('an unknown parameter')}=1", token=chat.token).status == 400
    gateway.get(f"{path}?cursor={secret('a wrong cursor')}", token=chat.token)
    gateway.get(f"{path}?token={secret('a token in a query')}", token=chat.token)
    assert gateway.get(f"/v1/{secret('a path that is none')}").status == 404
    assert gateway.get("/v1/info", token=secret("a wrong token")).status == 401
    assert gateway.get(f"{chat.path}", token=chat.token + secret("a wrong session's token")).status == 401
    gateway.get("/v1/info", token=None, headers={"Authorization": f"Basic {secret('basic credentials')}"})
    gateway.get("/v1/info", token=None, headers={"Cookie": f"parley_p_x={secret('a wrong cookie')}"})
    gateway.get("/readyz", token=None, headers={"X-Request-Id": "sane", "User-Agent": secret("a user agent"), "Referer": secret("a referer")})
    # The page's way in.
    url = subprocess.run([binary(), "open", "--print", "--data", str(gateway.folder)], capture_output=True, text=True, timeout=30).stdout.strip()
    launch = url[url.index("/auth/"):]
    secret.add("a launch code", launch.rpartition("/")[2])
    answer = gateway.call("POST", f"/auth/codes/{launch.rpartition('/')[2]}/redeem", token=None)
    assert answer.status == 200
    cookie, page = answer.headers["Set-Cookie"].partition(";")[0], answer["page"]
    secret.add("a login's cookie", cookie.partition("=")[2])
    secret.add("a login's page half", page)
    assert gateway.get("/v1/info", token=None, headers={"Cookie": cookie, "Parley-Page": page}).status == 200
    transcript = f"{path.partition('/messages')[0]}/transcript"
    ticket = gateway.call("POST", f"{chat.path}/tickets", {"paths": [transcript]}, token=chat.token)["items"][0]["url"]
    secret.add("a ticket", ticket.partition("ticket=")[2])
    assert gateway.get(ticket, token=None).status == 200
    assert gateway.get(ticket + "x", token=None).status == 401
    assert gateway.get(launch, token=None).status == 410
    assert gateway.get(f"/auth/{secret('a wrong launch code')}", token=None).status == 410
    assert gateway.call("DELETE", f"{path}/{id}", token=chat.token).status == 204
    assert gateway.call("DELETE", chat.path, token=chat.token).status == 204


def check_lines(log):
    """Everything beside the start's few lines for people is logfmt."""
    lines = log.splitlines()
    # On a database that gateways share, lines of the wait for it come first.
    begin = next(number for number, line in enumerate(lines) if line.startswith("Parley ")) if IS_POSTGRES else 0
    assert lines[begin].startswith("Parley ")
    end = 1 + next(number for number, line in enumerate(lines) if line.startswith("  data folder"))
    assert end - begin <= 9
    assert len(lines) > end, "nothing was logged"
    logged = lines[:begin] + lines[end:]
    for line in logged:
        assert LINE.fullmatch(line), f"no logfmt: {line}"
        assert "level=" in line and "message=" in line, line
    return lines[begin:end], logged


def finish(gateway, secret):
    """Ends the gateway and returns its greeting and its lines, all checked."""
    # The key is never on any wire; the gateway's token is on each.
    secret.add("the gateway's token", gateway.token)
    secret.add("the key of tokens", (gateway.folder / "key").read_text().strip())
    assert gateway.stop() == 0
    log = gateway.log_file.read_text()
    secret.check(log)
    return check_lines(log)


@pytest.mark.parametrize("verbosity", ["simple", "medium", "full"])
@pytest.mark.parametrize("level", ["trace", "info", "error"])
def test_levels_by_run_time(gw, level, verbosity):
    answer = gw.call("PUT", "/v1/log", {"level": level, "verbosity": verbosity})
    assert answer.status == 200 and answer.json == {"level": level, "verbosity": verbosity}
    secret = Secrets()
    exercise(gw, secret)
    _, lines = finish(gw, secret)
    after = [line for line in lines if "route=/v1/sessions/{session}/threads/{thread}/messages" in line]
    assert bool(after) == (level in ("trace", "info")), after[:3]
    if verbosity == "full" and after:
        assert "time=" in after[0] and "source=" in after[0]


def test_flags_from_the_start():
    with Gateway(arguments=["--log-level", "trace", "--log-verbosity", "full", "--demo"]) as gateway:
        secret = Secrets()
        exercise(gateway, secret)
        greeting, lines = finish(gateway, secret)
        assert lines and all("source=" in line for line in lines)
        assert not any("/auth/" in line for line in greeting), "a log lets nobody in"


def test_only_a_terminal_is_told_how_to_get_in(tmp_path):
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [binary(), "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data"), "--store", "sqlite"],
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    said = b""
    try:
        with contextlib.suppress(OSError):  # its end is EIO
            while b"data folder" not in said:
                said += os.read(ours, 4096)
        assert re.search(rb"http://127\.0\.0\.1:\d+/auth/[A-Za-z0-9_-]+  \(once", said), said
    finally:
        process.kill()
        process.wait()
        os.close(ours)


def test_faults_of_the_start_tell_nothing(gw):
    """Nor do errors of the disk and of a kill: sessions and messages of before are read again."""
    secret = Secrets()
    chat = Chat(gw, firstName=secret("a name"))
    secret.add("a session's token", chat.token)
    thread = chat.thread()
    chat.say(thread, secret("a text"))
    gw.kill()
    gw.start()
    gw.call("PUT", "/v1/log", {"level": "trace", "verbosity": "full"})
    chat.say(thread, secret("a later text"))
    gw.stop()
    secret.add("the gateway's token", gw.token)
    secret.check(gw.log_file.read_text())


def test_an_injected_line_stays_one_line(gw):
    """What a client chooses cannot make a line of its own, nor a member."""
    gw.call("PUT", "/v1/log", {"level": "trace", "verbosity": "full"})
    for id in ('x" level=critical message="forged', "x level=critical message=forged", "x\tlevel=critical"):
        gw.get("/v1/info", headers={"X-Request-Id": id})
        gw.get("/v1/%0Alevel=critical%20message=forged")
        gw.get("/v1/sessions/%0D%0Alevel=critical%20message=forged")
    secret = Secrets()
    _, lines = finish(gw, secret)
    assert not [line for line in lines if re.search(r"(^| )level=critical", re.sub(r'"(?:[^"\\]|\\.)*"', '""', line))]
