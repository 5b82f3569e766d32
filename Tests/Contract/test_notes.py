"""Notes among agents: the desk has them, and nothing that a customer reads, or that leaves the gateway, ever shows one."""

import re
import uuid

import pytest
from chat import Chat
from document import DOCUMENT
from gateway import until
from platform_client import PlatformClient, new_id
from receiver import Receiver

SECRET = "kaleidoscope"
AGENT = {"id": "mara", "name": "Mara Lind"}


def note(gw, at_desk, text=SECRET):
    answer = gw.post(f"{at_desk}/notes", {"text": text, "agent": AGENT})
    assert answer.status == 201 and answer["text"] == text and answer["author"] == {**AGENT, "kind": "agent"}
    assert answer.header("Location") == f"{at_desk}/notes/{answer['id']}"
    return answer.json


@pytest.fixture(scope="module")
def noted(gw):
    """A customer's conversation with all that has a route, and a note in the middle of it."""
    chat = Chat(gw, "contract-multi", firstName="Ann")
    thread, at_desk = chat.open(name="Lamp")
    secret = note(gw, at_desk)
    answer = gw.post(f"{at_desk}/messages", {"text": "It left today.", "agent": AGENT}).json
    file = chat.upload(b"text")
    id = thread.rpartition("/")[2]
    collections = [
        gw.post(f"{chat.path}/collections", {**body, "firstPage": True})["id"]
        for body in ({"kind": "messages", "threadId": id}, {"kind": "threads"})
    ]
    return {"chat": chat, "thread": id, "at_desk": at_desk, "note": secret, "message": answer["id"], "attachment": file["id"], "collections": collections}


READS = sorted(
    template for method, template, operation in DOCUMENT.operations
    if method == "get" and template.startswith("/v1/") and {"sessionToken": []} in operation.get("security", DOCUMENT.raw["security"])
)


def test_the_table_has_what_a_customer_reads():
    assert len(READS) > 20 and "/v1/sessions/{session}/threads/{thread}/messages" in READS and "/v1/sessions/{session}/events" in READS
    assert not [one for one in READS if one.startswith("/v1/desk")]


@pytest.mark.parametrize("template", READS)
def test_no_read_of_a_customer_shows_it(gw, noted, template):
    """Each route with all that it can name: the message, and the note as if it were one."""
    chat = noted["chat"]
    for message in (noted["message"], noted["note"]["id"]):
        for collection in noted["collections"]:
            names = {"session": chat.id, "thread": noted["thread"], "message": message, "collection": collection, "attachment": noted["attachment"]}
            path = re.sub(r"\{(\w+)\}", lambda match: names.get(match[1], "x"), template)
            query = {"/v1/events": f"?session={chat.id}&earliest=true", "/v1/sessions/{session}/events": "?earliest=true",
                     "/v1/sessions/{session}/search": f"?q={SECRET}"}.get(template, "")
            if path.endswith(f"{collection}/events"):
                with gw.events(f"{path}?version=0", token=chat.token) as stream:
                    stream.wait("ready")
                    assert SECRET not in repr([(one.name, one.data) for one in stream.taken])
                continue
            answer = gw.get(path + query, token=chat.token, headers={"Accept": "application/json"})
            assert answer.status in (200, 204, 400, 404, 409), answer
            assert SECRET not in answer.text
            assert answer.status == 404 or noted["note"]["id"] not in answer.text, "a problem repeats the id of the request"


@pytest.mark.parametrize("method, path", [("GET", ""), ("POST", ""), ("GET", "/{id}"), ("DELETE", "/{id}")])
def test_a_sessions_token_opens_no_note(gw, noted, method, path):
    body = {"text": "mine"} if method == "POST" else None
    where = f"{noted['at_desk']}/notes{path}".format(id=noted["note"]["id"])
    assert gw.call(method, where, body, token=noted["chat"].token).status == 403
    assert gw.get(f"{noted['chat'].path}/threads/{noted['thread']}/notes").code == "notFound"


def test_no_search_finds_it(gw, noted):
    head = gw.get("/v1/desk/channels")["cursor"]
    offset = lambda cursor: int(cursor.rpartition("-")[2])
    for path in (f"{noted['chat'].path}/search", "/v1/desk/search"):
        found = until("the index", lambda: (one := gw.get(f"{path}?q={SECRET}")) if offset(gw.get(f"{path}?q={SECRET}")["indexedTo"]) >= offset(head) else None)
        assert found["items"] == []


def test_it_reaches_the_desk_and_nobody_else(gw):
    """Live: what comes between two messages, on each kind of stream."""
    chat = Chat(gw, "contract-multi")
    thread, at_desk = chat.open()
    with gw.events(f"{chat.path}/events", token=chat.token) as mine, gw.events("/v1/desk/events") as desks, gw.events(f"/v1/events?session={chat.id}&desk=true") as both:
        for stream in (mine, desks, both):
            stream.wait("ready")
        made = note(gw, at_desk)
        assert gw.delete(f"{at_desk}/notes/{made['id']}").status == 204
        gw.post(f"{at_desk}/messages", {"text": "behind it", "agent": AGENT})
        mine.wait("message.created")
        assert SECRET not in repr([one.data for one in mine.taken]) and not [one.name for one in mine.taken if one.name.startswith("note")]
        created = desks.wait("note.created").data
        assert created["note"] == made and (created["channel"], created["customer"]["id"]) == ("contract-multi", chat.customer)
        assert desks.wait("note.removed").data["noteId"] == made["id"]
        told = both.wait("note.created").data
        assert told["desk"] is True and "sessions" not in told, "the session is not among those that it concerns"


def test_no_webhook_and_no_device_gets_it(gw):
    chat = Chat(gw, "contract-multi")
    thread, at_desk = chat.open()
    with Receiver() as receiver:
        hooks = [gw.post("/v1/webhooks", {"id": f"notes-{uuid.uuid4()}", "url": receiver.url, **audience}).json
                 for audience in ({}, {"audience": {"session": chat.id}})]
        receiver.secrets += [hook["secret"] for hook in hooks]
        try:
            note(gw, at_desk)
            gw.post(f"{at_desk}/messages", {"text": "behind it", "agent": AGENT})
            last = lambda: [one for one in receiver.requests if one.type == "message.created" and one.data["message"]["text"] == "behind it"]
            until("both have the message", lambda: len(last()) == 2)
            assert not [one for one in receiver.requests if one.type.startswith("note") or SECRET.encode() in one.body]
            assert gw.post("/v1/webhooks", {"id": "never", "url": receiver.url, "types": ["note.created"]}).status == 422
        finally:
            for hook in hooks:
                gw.delete(f"/v1/webhooks/{hook['id']}")


def test_no_frame_of_the_sandbox_has_it(gw):
    client, frames = PlatformClient(gw, "contract-multi"), []
    client.connect()
    receive = client.socket.receive
    client.socket.receive = lambda *more: frames.append(receive(*more)) or frames[-1]
    client.authorize()
    thread = new_id()
    client.send(thread, "Hello", name="Lamp")
    client.push("MessageCreated")
    at_desk = f"/v1/desk/threads/{thread}"
    made = note(gw, at_desk)
    gw.delete(f"{at_desk}/notes/{made['id']}")
    note(gw, at_desk)
    gw.post(f"{at_desk}/messages", {"text": "behind it", "agent": AGENT})
    client.push("MessageCreated", where=lambda data: "behind it" in repr(data))
    client.ask("RecoverThread", {"thread": {"idOnExternalPlatform": thread}})
    client.ask("FetchThreadList")
    assert len(frames) > 4 and SECRET not in repr(frames)
    client.close()


def test_it_survives_a_restart_and_is_repeated_safely(own):
    chat = Chat(own, "contract-multi")
    thread, at_desk = chat.open()
    key = {"Idempotency-Key": "once"}
    made = own.post(f"{at_desk}/notes", {"text": SECRET}, headers=key)
    again = own.post(f"{at_desk}/notes", {"text": SECRET}, headers=key)
    assert again["id"] == made["id"] and again.header("Idempotency-Replayed") == "true"
    cursor = own.get("/v1/desk/channels")["cursor"]
    second = note(own, at_desk, "second")
    own.restart()
    assert [one["text"] for one in own.get(f"{at_desk}/notes")["items"]] == ["second", SECRET]
    assert own.get(f"{at_desk}/notes/{made['id']}")["text"] == SECRET
    with own.events(f"/v1/desk/events?after={cursor}") as stream:
        assert stream.wait("note.created").data["note"] == second
    assert own.delete(f"{at_desk}/notes/{second['id']}").status == 204
    with own.events(f"/v1/desk/events?after={cursor}") as stream:
        assert stream.wait("note.removed").data["noteId"] == second["id"]
        assert "second" not in repr([one.data for one in stream.taken])
