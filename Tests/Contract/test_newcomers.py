"""What somebody sees who meets the commands for the first time: chats with the demonstration, help, and words for mistakes."""

import os
import subprocess

import pytest
from chat import Chat
from commands import environment, parley
from gateway import Gateway, binary
from test_terminal import Terminal


@pytest.fixture(scope="module")
def demo():
    with Gateway(options=["--demo"]) as gateway:
        gateway.post("/v1/desk/channels", {"id": "a-first", "mode": "multithread"})
        yield gateway


# -- a chat

def test_a_chat_begins_where_somebody_answers(demo):
    with Terminal(demo, "chat", "--as", "newcomer", columns=100) as ada:
        ada.show("you are newcomer on the channel demo (Demo shop)")
        ada.show("a new conversation begins")
        ada.show("following from")
        ada.type("A return, please\n")
        ada.show("  1) My money back")
        ada.show("  3) A person")
        ada.type("1\n")
        ada.show("You get your money back as soon as the parcel is here.")
        first = ada.shown.partition(", thread ")[2].partition("\r\n")[0]
        ada.type("/quit\n")
        assert ada.process.wait(30) == 0
    [path] = [f"/v1/sessions/{s['id']}" for s in demo.all("/v1/sessions?customer=newcomer")]
    said = [m for m in demo.get(f"{path}/threads/{first}/messages")["items"] if m["author"]["kind"] == "customer"]
    assert [(m["text"], m.get("postback")) for m in said] == [("My money back", "return:refund"), ("A return, please", None)]
    again = parley(demo, "chat", "--as", "newcomer", text="/quit\n").stderr
    assert "your newest conversation goes on; --new begins another" in again and first in again
    new = parley(demo, "chat", "--as", "newcomer", "--new", text="Hello\r\n/quit\r\n").stderr
    assert "a new conversation begins" in new and first not in new
    newest = demo.get(f"{path}/threads")["items"][0]["id"]
    texts = [m["text"] for m in demo.get(f"{path}/threads/{newest}/messages")["items"] if m["author"]["kind"] == "customer"]
    assert texts == ["Hello"]


def test_a_chat_asks_what_the_channel_asks(demo):
    done = parley(demo, "chat", "--channel", "demo-live", "--as", "asked", text="7\n2\n\nHello\n/quit\n")
    assert done.returncode == 0, done
    lines = done.stderr.splitlines()
    assert "parley: Before we begin" in lines and "parley: What is it about?" in lines and "  2) A return" in lines
    assert "parley: choose a number from 1 to 3" in lines
    [thread] = [t for t in demo.all("/v1/desk/threads?channel=demo-live") if t["customer"]["id"] == "asked"]
    assert thread["customFields"] == {"topic": "return"}
    # Whoever leaves at a question begins nothing.
    assert parley(demo, "chat", "--channel", "demo-live", "--as", "leaves").returncode == 0
    assert not [t for t in demo.all("/v1/desk/threads?channel=demo-live") if t["customer"]["id"] == "leaves"]


# -- the desk's list

def test_the_desks_list_fits_and_begins_with_who_waits(own):
    texts = {}
    for name in ("Closed", "Answered", "Waits longest", "Waits"):
        chat = Chat(own, "contract-multi", firstName=name)
        thread, at_desk = chat.open()
        texts[name] = thread.rpartition("/")[2]
        if name == "Answered":
            own.post(f"{at_desk}/messages", {"text": "Yes"})
        if name == "Closed":
            own.post(f"{at_desk}/close")
    with Terminal(own, "desk", "threads", columns=80) as terminal:
        lines = terminal.show(None).strip().split("\r\n")
        assert terminal.process.wait() == 0
    assert lines[0].split() == ["THREAD", "STATE", "CUSTOMER", "LAST", "MESSAGE"] and all(len(line) <= 80 for line in lines)
    assert [line.split()[:2] for line in lines[1:]] == [
        [texts["Waits longest"], "waits"], [texts["Waits"], "waits"], [texts["Answered"], lines[3].split()[1]], [texts["Closed"], "closed"]]
    assert "Waits longest" in lines[1] and "Hello" in lines[1]
    # A script gets whole rows, and JSON the gateway's list.
    rows = parley(own, "desk", "threads").stdout.splitlines()
    assert [row.split("\t")[0] for row in rows] == [line.split()[0] for line in lines[1:]] and len(rows[0].split("\t")) == 9


# -- help and the banner

def test_the_banner_names_the_pages(demo):
    for path in ("/desk", "/docs", "/inspect"):
        assert demo.wait_for_log(f"{demo.origin}{path}").endswith(path)


def test_help_has_examples_and_the_shared_options_in_one_line():
    main = parley(None, "--help").stdout
    assert "EXAMPLES:" in main and "parley --demo" in main
    text = parley(None, "help", "chat").stdout
    assert "EXAMPLES:" in text and text == parley(None, "chat", "--help").stdout
    [line] = [line for line in text.splitlines() if line.startswith("GLOBAL OPTIONS:")]
    for name in ("--gateway <address>", "--token-file <file>", "--data <folder>", "--config <file>", "-o/--output <form>", "-q/--quiet"):
        assert name in line
    assert text.rstrip().splitlines()[-1] == line and "--token-file" not in text.replace(line, "")
    assert "Where the gateway is" not in text and "--channel <channel>" in text
    # They are offered by a shell as before.
    assert "--token-file" in parley(None, "--generate-completion-script", "bash").stdout


# -- mistakes

@pytest.mark.parametrize("words, advice", [
    (("sessions", "new", "--chanel", "multi"), "There is no option --chanel. Did you mean --channel?"),
    (("sessions", "new"), "--channel"), (("desk", "read", "--whatever=1"), "There is no option --whatever."),
])
def test_a_misspelt_option_is_named(gw, words, advice):
    done = parley(gw, *words)
    assert done.returncode == 64 and advice in done.stderr, done


def test_an_address_in_use_has_a_next_step(gw, tmp_path):
    done = parley(None, "--listen", f"127.0.0.1:{gw.port}", "--data", str(tmp_path / "d"))
    assert done.returncode == 1 and "address already in use. " in done.stderr and "--listen 127.0.0.1:0" in done.stderr


def test_a_folder_of_another_user_is_named(gw):
    mode = gw.folder.parent.stat().st_mode
    os.chmod(gw.folder.parent, 0o755)
    try:
        done = subprocess.run(
            [binary(), "sessions", "--data", str(gw.folder)], capture_output=True, text=True, user=65534, group=65534,
            extra_groups=[], env={**environment(), "HOME": "/nonexistent"}, timeout=30)
    except PermissionError:
        pytest.skip("only root can be another user")
    finally:
        os.chmod(gw.folder.parent, mode)
    assert done.returncode == 77 and "is another user's" in done.stderr, done


def test_a_token_without_its_word(gw):
    answer = gw.get("/v1/sessions", token=None, headers={"Authorization": gw.token})
    assert answer.status == 401 and "Bearer" in answer["detail"]


def test_a_refusal_names_the_member_once(gw):
    answer = gw.post("/v1/sessions", {"channel": 5})
    assert answer.status == 422 and answer["detail"].startswith("/channel: ")
    error = parley(gw, "sessions", "new", "--channel", "").stderr
    assert error.count("/channel: ") == 1 and ".." not in error and "  " not in error, error


def test_a_path_that_is_not_utf8_is_refused(tmp_path):
    for words, more in [([b"--data", os.fsencode(tmp_path) + b"/d\xff"], {}), ([], {b"PARLEY_DATA": os.fsencode(tmp_path) + b"/d\xff"})]:
        own = {**{os.fsencode(name): os.fsencode(value) for name, value in environment().items()}, **more}
        done = subprocess.run([os.fsencode(binary()), b"--listen", b"127.0.0.1:0", *words], capture_output=True, env=own, timeout=30)
        assert done.returncode == 1 and b"must be UTF-8" in done.stderr, done
    folder = os.fsencode(tmp_path) + b"/here\xff"
    os.mkdir(folder)
    done = subprocess.run([binary(), "--listen", "127.0.0.1:0", "--data", "d"], capture_output=True, cwd=folder, env=environment(), timeout=30)
    assert done.returncode == 1 and b"not UTF-8" in done.stderr, done
    assert sorted(os.listdir(tmp_path)) == [os.fsdecode(b"here\xff")] and os.listdir(folder) == []


# -- JSON at a terminal

def test_json_leads_no_terminal(gw):
    hostile = "\x9b2J\x7f\u202ex\u2028"
    chat = Chat(gw, "contract-multi")
    thread = chat.thread()
    chat.say(thread, hostile)
    for words in (["messages", chat.id, "-o", "json"], ["messages", chat.id, "-o", "jsonl"], ["api", thread.removeprefix("/") + "/messages"],
                  ["tail", chat.id, "-n", "3", "--no-follow", "-q", "-o", "json"]):
        with Terminal(gw, *words, columns=100) as terminal:
            shown = terminal.show(None)
        assert "\\u009b2J\\u007f\\u202ex\\u2028" in shown and not set(hostile) - {"2", "J", "x"} & set(shown), words
    file = chat.upload(b"\x1b[2J\xc2\x9bx\n\ty", name="a.txt")["id"]
    with Terminal(gw, "api", f"v1/sessions/{chat.id}/attachments/{file}") as terminal:
        assert "\\u{1b}[2J\\u{9b}x\r\n" in terminal.show(None)
    # Elsewhere they are the gateway's bytes.
    assert hostile in parley(gw, "messages", chat.id, "-o", "json").stdout
    assert subprocess.run([binary(), "api", f"v1/sessions/{chat.id}/attachments/{file}"], capture_output=True, env=environment(gw)).stdout.startswith(b"\x1b[2J\xc2\x9bx")
