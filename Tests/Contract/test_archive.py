"""Conversations that leave the gateway, and those that come from elsewhere."""

import csv
import io
import itertools
import json
import pathlib
import random
import socket
import threading

import figures
import pytest
from chat import Chat
from commands import parley
from gateway import Gateway, until
from keys import Key
from people import Person
from receiver import Receiver

HERE = pathlib.Path(__file__).parent
COUNT = itertools.count(1)
ANN = {"id": "ann", "firstName": "Ann", "lastName": "Berg"}
MARA = {"id": "mara", "name": "Mara", "kind": "agent"}


def at(minute, day="2024-05-04"):
    return f"{day}T{9 + minute // 60:02}:{minute % 60:02}:00.000Z"


def said(id, minute, author=None, text="Hello", **more):
    author = author or {"id": "ann", "name": "Ann Berg", "kind": "customer"}
    return {"id": id, "createdAt": at(minute), "author": author, "text": text, **more}


def conversation(**more):
    return {
        "id": f"old-{next(COUNT)}", "channel": "contract-multi", "customer": ANN, "createdAt": at(0),
        "contacts": [{"openedAt": at(1), "closedAt": at(30), "closedBy": "mara"}],
        "messages": [said("m1", 1), said("m2", 4, MARA, "Good morning"), said("m3", 5)], **more}


def put(gateway, body, who=None, query=""):
    return (who or gateway).post(f"/v1/desk/import{query}", body)


# -- what comes in


def test_it_has_its_own_times_and_nothing_is_unread(gw):
    body = conversation(rating={"score": 4, "comment": "Fine", "at": at(40)}, notes=[{**said("n1", 6, MARA, "Kind")}], name="Order")
    answer = put(gw, body)
    assert (answer.status, answer["result"]) == (201, "imported")
    path = f"/v1/desk/threads/{body['id']}"
    thread = gw.get(path)
    assert (thread["state"], thread["createdAt"], thread["contactClosedAt"]) == ("closed", at(0), at(30))
    assert (thread["deskUnreadCount"], thread["rating"]["score"], thread["lastMessage"]["createdAt"]) == (0, 4, at(5))
    messages = gw.get(f"{path}/messages")["items"][::-1]
    assert [(one["id"], one["createdAt"], one["direction"]) for one in messages] == [
        ("m1", at(1), "toAgent"), ("m2", at(4), "toClient"), ("m3", at(5), "toAgent")]
    assert [one["createdAt"] for one in gw.get(f"{path}/notes")["items"]] == [at(6)]
    # Its customer finds it, too.
    chat = Chat(gw, "contract-multi", id="ann")
    own = gw.get(f"{chat.path}/threads/{body['id']}")
    assert (own["unreadCount"], own["state"]) == (0, "closed") and "imported" not in own.json


def test_an_agent_may_have_no_name(gw):
    body = conversation(agent={"id": "mara"}, state="ready", contacts=[])
    assert put(gw, body).status == 201
    thread = gw.get(f"/v1/desk/threads/{body['id']}").json
    assert (thread["agent"], thread["state"]) == ({"id": "mara"}, "ready")


def test_the_same_again_changes_nothing(gw):
    body = conversation()
    assert put(gw, body).status == 201
    before = gw.get("/v1/desk/threads?limit=200").header("ETag"), gw.get(f"/v1/desk/threads/{body['id']}").json
    again = put(gw, body)
    assert (again.status, again["result"]) == (200, "unchanged")
    assert (gw.get("/v1/desk/threads?limit=200").header("ETag"), gw.get(f"/v1/desk/threads/{body['id']}").json) == before
    other = put(gw, {**body, "messages": []})
    assert (other.status, other.code, other["errors"][0]["pointer"]) == (409, "threadIdConflict", "#/id")
    written = Chat(gw, "contract-multi", id="ann")
    path, _ = written.open()
    assert put(gw, conversation(id=path.rpartition("/")[2])).code == "threadIdConflict"


def test_lists_with_an_entity_tag_show_it(gw):
    tag = gw.get("/v1/desk/threads").header("ETag")
    put(gw, conversation())
    assert gw.get("/v1/desk/threads", headers={"If-None-Match": tag}).status == 200


@pytest.mark.parametrize("change, status, pointer", [
    ({"messages": [said("m1", 1), {"id": "m2", "createdAt": "never", "author": MARA}]}, 422, "/messages/1/createdAt"),
    ({"messages": [said("m1", 1), said("m1", 2)]}, 422, "/messages/1/id"),
    ({"messages": [said("m1", 1, parentId="m9")]}, 422, "/messages/0/parentId"),
    ({"messages": [said("m1", 1, {"id": "x", "kind": "ghost"})]}, 422, "/messages/0/author/kind"),
    ({"messages": [said("m1", 1, colour="red")]}, 422, "/messages/0/colour"),
    ({"messages": [said("m1", 1, text="x" * 65537)]}, 422, "/messages/0/text"),
    ({"createdAt": "2999-01-01T00:00:00Z"}, 422, "/createdAt"),
    ({"contacts": [{"openedAt": at(5), "closedAt": at(1)}]}, 422, "/contacts/0/closedAt"),
    ({"contacts": [{"openedAt": at(5)}]}, 422, "/contacts/0/closedAt"),
    ({"contacts": [{"openedAt": at(5), "closedAt": at(6), "firstAnswerAt": at(6)}]}, 422, "/contacts/0/firstAnswerBy"),
    ({"contacts": [{"openedAt": at(5), "closedAt": at(6), "messagesIn": 2**42 + 1}]}, 422, "/contacts/0/messagesIn"),
    ({"tags": [{}]}, 422, "/tags/0"),
    ({"channel": "nowhere"}, 404, "/channel"),
    ({"channel": "contract-single", "name": "Order"}, 409, "/name"),
    ({"members": [ANN]}, 422, "/members/0/id"),
    ({"rating": {"score": 9, "at": at(1)}}, 422, "/rating/score"),
])
def test_what_is_wrong_is_named_and_nothing_comes_in(gw, change, status, pointer):
    body = conversation(**change)
    answer = put(gw, body)
    assert (answer.status, answer["errors"][0]["pointer"]) == (status, "#" + pointer), answer.text
    assert gw.get(f"/v1/desk/threads/{body['id']}").status == 404


def test_it_needs_both_scopes_and_the_channel(gw):
    body = conversation()
    for scopes in (["desk.manage"], ["desk.write", "customers.write"]):
        key = Key(gw, *scopes)
        assert put(gw, body, key).code == "insufficientScope"
        key.end()
    key = Key(gw, "desk.manage", "customers.write")
    assert put(gw, body, key).status == 201
    key.end()
    mara = Person(gw, "supervisor", channels=["contract-single"])
    assert put(gw, conversation(), mara).code == "outsideChannels"
    new = conversation(channel="contract-single", tags=[{"name": f"new-{next(COUNT)}"}])
    assert put(gw, new, mara).code == "unknownTag"


def test_the_query_names_another_channel(gw):
    body = conversation()
    assert put(gw, body, query="?channel=contract-single")["channel"] == "contract-single"
    del body["channel"]
    assert put(gw, conversation() | {"channel": "x"}, query="?channel=contract-single").status == 201
    assert put(gw, body)["errors"][0]["pointer"] == "#/channel"


def test_nobody_outside_is_told(gw):
    with Receiver() as receiver:
        made = gw.post("/v1/webhooks", {"url": receiver.url})
        receiver.secrets.append(made["secret"])
        ids = [conversation() for _ in range(3)]
        for body in ids:
            put(gw, body)
        chat = Chat(gw, "contract-multi", id=f"marker-{next(COUNT)}")
        chat.say(chat.thread(), "I am the marker")
        receiver.until(lambda request: request.type == "message.created" and request.data["message"].get("text") == "I am the marker")
        told = json.dumps([request.json for request in receiver.requests])
        assert not any(body["id"] in told for body in ids)
        gw.delete(f"/v1/webhooks/{made['id']}")


def test_search_finds_it(gw):
    word = f"heron{next(COUNT)}{random.randrange(10**9)}"
    body = conversation(messages=[said("m1", 1, text=f"A {word} on a boat")])
    put(gw, body)
    found = until("the message", lambda: gw.get(f"/v1/desk/search?q={word}")["items"])
    assert [item["threadId"] if "threadId" in item else item["message"]["threadId"] for item in found] == [body["id"]]


def test_replies_and_files_come_along(gw):
    file = {"id": f"file-{next(COUNT)}", "name": "fire.jpg", "mimeType": "image/jpeg", "size": 12}
    body = conversation(messages=[
        said("m1", 1), said("r1", 2, MARA, parentId="m1", alsoInThread=False), said("r2", 3, MARA, parentId="m1"),
        said("m2", 4, attachments=[file])])
    assert put(gw, body).status == 201
    path = f"/v1/desk/threads/{body['id']}"
    replies = gw.get(f"{path}/messages/m1/replies")
    assert [one["id"] for one in replies["items"]] == ["r1", "r2"] and replies["parent"]["replyInfo"]["count"] == 2
    assert [one["id"] for one in gw.get(f"{path}/messages")["items"]] == ["m2", "r2", "m1"]
    assert gw.get(f"/v1/desk/attachments/{file['id']}").code == "unknownAttachment"


def test_an_open_one_waits_as_its_messages_say(gw):
    body = conversation(state="ready", contacts=[{"openedAt": at(1)}])
    assert put(gw, body).status == 201
    path = f"/v1/desk/threads/{body['id']}"
    assert (gw.get(path)["waitingSince"], gw.get(path)["state"]) == (at(5), "ready")
    assert gw.post(f"{path}/messages", {"text": "At last"}).status == 201
    assert "waitingSince" not in gw.get(path).json


# -- what goes out, and comes back


@pytest.fixture(scope="module")
def played():
    """A gateway of its own: conversations that were played here, and many from elsewhere, with all that they can have."""
    with Gateway() as gateway:
        gateway.post("/v1/desk/channels", {"id": "help", "mode": "multithread", "rating": "numbers", "reopenDays": 3})
        gateway.post("/v1/desk/channels", {"id": "sales", "mode": "multithread"})
        mara, bo = Person(gateway, "supervisor", publicName="Mara"), Person(gateway, publicName="Bo")
        tag = gateway.post("/v1/desk/tags", {"name": "=HYPERLINK(1)"})["id"]
        chats = []
        for index in range(5):
            chat = Chat(gateway, "help" if index < 4 else "sales", firstName="Ann", lastName=f"=Berg {index}")
            chats.append((chat, *chat.open(name="@Order")))
        for chat, path, at_desk in chats[:3]:
            mara.post(f"{at_desk}/messages", {"text": "+49 30 1234"})
            parent = gateway.get(f"{at_desk}/messages")["items"][0]["id"]
            bo.post(f"{at_desk}/messages/{parent}/replies", {"text": "And me", "alsoInThread": False})
            chat.say(path, "Line one\r\nline \"two\"")
            gateway.post(f"{at_desk}/notes", {"text": "A note", "agent": {"id": "robo", "name": "Robo", "isBot": True}})
        bo.call("PUT", f"{chats[0][2]}/tags", {"tags": [tag]})
        bo.post(f"{chats[0][2]}/close")
        mara.post(f"{chats[1][2]}/close")
        assert gateway.put(f"{chats[0][1]}/rating", {"score": 4, "comment": "Good"}).status == 200
        gateway.post(f"{chats[3][2]}/messages", {"text": "I am a bot", "agent": {"id": "robo", "name": "Robo", "isBot": True}})
        gateway.post(f"{chats[3][2]}/close")
        chats[1][0].say(chats[1][1], "One more thing")  # reopens it
        dice = random.Random(11)
        for number in range(60):
            assert put(gateway, elsewhere(dice, number)).status == 201
        yield gateway


def elsewhere(dice, number):
    """A conversation of May 2024 with one or two contacts. No two of its times are equal."""
    minute, messages, contacts = dice.randrange(10_000), [], []
    stamp = lambda: f"2024-05-{1 + minute // 1440:02}T{minute // 60 % 24:02}:{minute % 60:02}:{number:02}.{len(messages) + 100}Z"
    ann = {"id": f"c{number % 7}", "name": "Ann", "kind": "customer"}
    begun = stamp()
    for round in range(dice.choice((1, 1, 2))):
        opened = stamp()
        for _ in range(dice.randrange(1, 6)):
            who = dice.choice((ann, ann, MARA, {"id": "bo", "name": "Bo", "kind": "agent"}, {"id": "robo", "kind": "bot"}))
            author = ann if not messages or opened == stamp() else who
            messages.append({"id": f"m{len(messages)}", "createdAt": stamp(), "author": author, "text": "-1"})
            minute += dice.randrange(1, 300)
        minute += dice.randrange(1, 300)
        contact = {"openedAt": opened, "closedAt": stamp(), "closedBy": dice.choice(("mara", "bo"))}
        if round:
            contact["reopened"] = True
        if dice.random() < 0.5:
            contact["score"] = dice.randrange(1, 6)
        contacts.append(contact)
        minute += dice.randrange(1, 300)
    tags = [{"name": name} for name in dice.sample(("red", "green", "blue"), dice.randrange(3))]
    return {"id": f"old-{number}", "channel": dice.choice(("help", "sales")), "customer": {"id": ann["id"], "firstName": "Ann"},
            "createdAt": begun, "tags": tags, "contacts": contacts, "messages": messages}


def exported(gateway, *arguments, start="2020-01-01"):
    done = parley(gateway, "export", "--from", start, "--quiet", *arguments)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout


@pytest.mark.parametrize("by", ["channel", "agent", "tag"])
@pytest.mark.parametrize("since, until_", [("2024-05-01", "2024-05-04"), ("2024-05-01", "2024-07-01"), (None, None)])
def test_reports_say_what_a_script_counts_from_the_export(played, by, since, until_):
    since, until_ = since or "2025-12-01", until_ or "2026-12-01"
    if since == "2025-12-01":
        # Those that were played just now: whatever the clock says.
        now = played.get("/v1/desk/threads?limit=1")["items"][0]["createdAt"]
        since, until_ = f"{int(now[:4])}-01-01", f"{int(now[:4]) + 1}-01-01"
    times = f"since={since}T00:00:00Z&until={until_}T00:00:00Z"
    report = played.get(f"/v1/desk/reports?by={by}&{times}")
    lines = exported(played, "--until", until_, start=since).splitlines()
    rows, total = figures.count(lines, f"{since}T00:00:00Z", f"{until_}T00:00:00Z", by)
    plain = lambda row: {name: value for name, value in row.items() if name != "key" and not name.endswith("Open")}
    assert {row["key"]: plain(row) for row in report["items"]} == rows
    assert plain(report["total"]) == total
    assert total["opened"] > 4 and total["firstAnswer"]["count"] > 1


def test_what_is_exported_is_imported_and_exported_the_same(played, tmp_path):
    file = tmp_path / "all.jsonl"
    assert exported(played, "--output", str(file)) == "" and not list(tmp_path.glob("*.part"))
    lines = file.read_text().splitlines()
    assert len(lines) == 65
    with Gateway() as other:
        for channel in ("help", "sales"):
            other.post("/v1/desk/channels", {"id": channel, "mode": "multithread"})
        done = parley(other, "import", str(file), "-o", "json", "-q")
        assert (done.returncode, done.stderr, json.loads(done.stdout)) == (0, "", {"imported": 65, "unchanged": 0, "refused": 0})
        assert exported(other).splitlines() == lines
        again = parley(other, "import", str(file), "-o", "json", "-q")
        assert json.loads(again.stdout) == {"imported": 0, "unchanged": 65, "refused": 0}
        assert exported(other).splitlines() == lines
        for by in ("channel", "agent", "tag", "day"):
            query = f"/v1/desk/reports?by={by}&since=2024-05-01T00:00:00Z&until=2024-07-01T00:00:00Z"
            assert other.get(query).json == played.get(query).json
        other.stop()
        check = parley(other, "store", "check", "--data", str(other.folder), *other.database.arguments[2:])
        assert check.returncode == 0, check


def test_the_table_has_a_row_for_each_message_and_no_formula(played):
    text = exported(played, "--format", "csv", "--channel", "help")
    assert text.startswith("\ufeff")
    rows = list(csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline="")))
    lines = [json.loads(line) for line in exported(played, "--channel", "help").splitlines()]
    assert [row["message"] for row in rows] == [one["id"] for line in lines for one in line["messages"]]
    assert {row["channel"] for row in rows} == {"help"}
    assert {"'+49 30 1234", "'-1"} <= {row["text"] for row in rows}
    assert any(row["tags"] == "'=HYPERLINK(1)" for row in rows)
    assert any(row["text"] == "Line one\nline \"two\"" for row in rows)  # the shell's text has no CR
    assert not any(cell and cell[0] in "=+-@\t\r" for row in rows for cell in row.values())


def test_times_and_channels_choose(played):
    ids = lambda *arguments, **more: {json.loads(line)["id"] for line in exported(played, *arguments, **more).splitlines()}
    assert ids("--until", "2024-01-01") == set()
    assert len(ids("--until", "2024-12-01")) == 60
    assert len(ids(start="2025-01-01")) == 5
    assert ids("--channel", "sales") | ids("--channel", "help") == ids("--channel", "sales", "--channel", "help") == ids()


def test_it_works_with_a_key_that_reads(played, tmp_path):
    key = Key(played, "desk.read")
    (tmp_path / "key").write_text(key.text)
    done = parley(None, "export", "--from", "2020-01-01", "--gateway", played.origin, "--token-file", str(tmp_path / "key"))
    assert done.returncode == 0 and len(done.stdout.splitlines()) == 65 and "65 conversations exported" in done.stderr
    key.end()


class Cut:
    """A gateway's address behind which so many connections work, and the next one breaks off within its answer."""

    def __init__(self, gateway, whole):
        self.gateway, self.left = gateway, whole
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            head = client.recv(65536).replace(self.address.removeprefix("http://").encode(), self.gateway.authority.encode())
            with socket.create_connection((self.gateway.host, self.gateway.port)) as server, client:
                server.sendall(head)
                answer = b"".join(iter(lambda: server.recv(65536), b""))
                client.sendall(answer if self.left > 0 else answer[:len(answer) - 5])
            self.left -= 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.listener.close()


@pytest.mark.parametrize("whole", [1, 2, 9])
def test_a_broken_connection_leaves_no_file_that_looks_whole(played, tmp_path, whole):
    with Cut(played, whole) as cut:
        reach = ["--gateway", cut.address, "--token-file", str(played.folder / "token")]
        done = parley(None, "export", "--from", "2020-01-01", "--output", str(tmp_path / "x.jsonl"), *reach)
    assert done.returncode not in (0, 1) and "The export broke off" in done.stderr and not list(tmp_path.iterdir())
    with Cut(played, whole) as cut:
        reach[1] = cut.address
        done = parley(None, "export", "--from", "2020-01-01", *reach)
    assert done.returncode != 0
    with pytest.raises(json.JSONDecodeError):
        for line in done.stdout.splitlines():
            json.loads(line)


# -- files that are not as they should be, and those of others


def test_bad_lines_are_named_and_the_rest_goes_in(gw, tmp_path):
    good, bad = conversation(), conversation()
    bad["messages"][1]["createdAt"] = "never"
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join([json.dumps(good), "", json.dumps(bad), "{broken", json.dumps(conversation())]))
    done = parley(gw, "import", str(file))
    assert done.returncode == 1 and done.stdout.split() == ["2", "0", "2"]
    assert "line 3: /messages/1/createdAt: " in done.stderr and "line 4: " in done.stderr
    assert "2 conversations were refused; the others are in." in done.stderr
    assert gw.get(f"/v1/desk/threads/{good['id']}").status == 200


def test_it_reads_standard_input_and_another_channel(gw):
    body = conversation()
    done = parley(gw, "import", "-", "--channel", "contract-single", "-o", "json", text=json.dumps(body))
    assert json.loads(done.stdout)["imported"] == 1
    assert gw.get(f"/v1/desk/threads/{body['id']}")["channel"] == "contract-single"


def test_a_gateway_that_is_not_there_stops_it(gw, tmp_path):
    file = tmp_path / "lines.jsonl"
    file.write_text(json.dumps(conversation()))
    done = parley(None, "import", str(file), "--gateway", "http://127.0.0.1:9", "--token-file", str(gw.folder / "token"))
    assert done.returncode == 69 and "stopped at line 1" in done.stderr


def test_tickets_of_zendesk_become_conversations(gw, tmp_path):
    done = parley(gw, "import", str(HERE / "zendesk.json"), "--format", "zendesk", "--channel", "contract-multi", "-o", "json")
    assert done.returncode == 1 and json.loads(done.stdout) == {"imported": 2, "unchanged": 0, "refused": 1}, done
    assert "ticket 3 (#35438): /created_at: " in done.stderr
    first = gw.get("/v1/desk/threads/zendesk-35436")
    assert (first["name"], first["state"], first["agent"]["name"]) == ("My printer is on fire!", "closed", "Mara")
    assert first["customer"] == {"id": "zendesk-user-20978392", "firstName": "Ann", "lastName": "von Berg", "email": "ann@shop.example"}
    assert first["rating"] == {"score": 5, "comment": "Great support!", "at": "2024-03-05T18:00:00.000Z"}
    messages = gw.get("/v1/desk/threads/zendesk-35436/messages")["items"][::-1]
    assert [(one["text"], one["author"]["kind"], one["createdAt"]) for one in messages] == [
        ("The fire is very colorful.", "customer", "2024-03-04T09:12:00.000Z"),
        ("Please pull the plug.", "agent", "2024-03-04T09:42:00.000Z"),
        ("Ticket was updated.", "system", "2024-03-04T09:42:01.000Z"),
        ("It is out. Danke schön", "customer", "2024-03-05T09:00:00.000Z")]
    assert [file["name"] for file in messages[0]["attachments"]] == ["fire.jpg"]
    assert [note["text"] for note in gw.get("/v1/desk/threads/zendesk-35436/notes")["items"]] == ["Third one this week."]
    tags = {tag["id"]: tag["name"] for tag in gw.get("/v1/desk/tags")["items"]}
    assert [tags[id] for id in first["tags"]] == ["printer", "=fire"]
    second = gw.get("/v1/desk/threads/zendesk-35437")
    assert (second["state"], second["waitingSince"]) == ("ready", "2024-03-06T12:00:00.000Z")
    total = gw.get("/v1/desk/reports?since=2024-03-01T00:00:00Z&until=2024-04-01T00:00:00Z&channel=contract-multi")["total"]
    assert (total["opened"], total["closed"], total["rating"]["count"]) == (2, 1, 1)
    assert (total["firstAnswer"]["medianSeconds"], total["resolution"]["medianSeconds"]) == (30 * 60, 24 * 3600 + 48 * 60 + 30)
    # A ticket in each line, as an account's export has them.
    sample = json.loads((HERE / "zendesk.json").read_text())
    lines = tmp_path / "tickets.jsonl"
    lines.write_text("\n".join(json.dumps({**one, "requester": sample["users"][0]} if one["id"] == 35436 else one)
                               for one in sample["tickets"][:2]))
    done = parley(gw, "import", str(lines), "--format", "zendesk", "--channel", "contract-single", "-o", "json")
    assert json.loads(done.stdout) == {"imported": 2, "unchanged": 0, "refused": 0}, done
