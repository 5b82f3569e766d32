"""All that is kept of one customer: as one file, and erased."""

import base64
import json

import pytest
from chat import Chat
from commands import parley

AGENT = {"id": "robin", "name": "Robin"}


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def ada(gw):
    """A customer with a thread, files, a reply, a note, a collection, and two sessions."""
    chat = Chat(gw, "contract-multi", firstName="SecretAda")
    chat.thread_path, chat.at_desk = chat.open(name="SecretName")
    parent = chat.say(chat.thread_path, "SecretQuestion")
    gw.post(f"{chat.at_desk}/messages", {"text": "An answer to it", "agent": AGENT, "parentId": parent["id"]})
    chat.bytes = bytes(range(256)) * 2000
    chat.file = chat.upload(chat.bytes, name="secret.bin", kind="application/octet-stream")
    gw.post(f"{chat.thread_path}/messages", {"attachments": [{"id": chat.file["id"]}]})
    chat.upload(b"never sent", name="unsent.txt")
    assert gw.post(f"{chat.at_desk}/notes", {"text": "SecretNote", "agent": AGENT}).status == 201
    chat.second = Chat(gw, "contract-multi", id=chat.customer)
    gw.post(f"{chat.second.path}/collections", {"kind": "threads"})
    return chat


def test_the_export_has_everything(gw, ada):
    answer = gw.get(f"/v1/desk/customers/{ada.customer}/export?notes=true", check=False)
    assert answer.status == 200 and answer.kind == "application/x-ndjson"
    found = lines(answer.text)
    kinds = [line["kind"] for line in found]
    assert kinds[0] == "account" and found[0]["customer"] == {"id": ada.customer, "firstName": "SecretAda"}
    assert kinds.count("session") == 2 and kinds.count("collection") == 1 and kinds.count("thread") == 1
    messages = [line["message"] for line in found if line["kind"] == "message"]
    assert {message["id"] for message in messages} == {
        message["id"] for message in gw.get(f"{ada.thread_path}/messages?replies=all&limit=200")["items"]}
    assert [line["note"]["text"] for line in found if line["kind"] == "note"] == ["SecretNote"]
    parts = [line["base64"] for line in found if line["kind"] == "filePart" and line["id"] == ada.file["id"]]
    assert len(parts) == 2 and b"".join(map(base64.b64decode, parts)) == ada.bytes
    assert found[-1] == {"kind": "end", "threads": 1, "messages": len(messages), "files": 2}
    # Nothing of it opens anything.
    assert ada.token not in answer.text


def test_notes_are_the_agents_unless_asked_for(gw, ada):
    assert "SecretNote" not in gw.get(f"/v1/desk/customers/{ada.customer}/export", check=False).text


def test_the_command_writes_the_same(gw, ada):
    done = parley(gw, "customer", "export", ada.customer, "--channel", "contract-multi")
    assert done.returncode == 0, done.stderr
    assert lines(done.stdout) == lines(gw.get(f"/v1/desk/customers/{ada.customer}/export?channel=contract-multi", check=False).text)


def test_of_an_erased_customer_nothing_is_left(gw, ada):
    other = Chat(gw, "contract-multi")
    other.open()
    cursor = gw.get("/v1/desk/threads?limit=1")["cursor"]
    own, desk = ada.events(), gw.events("/v1/desk/events?types=thread.removed")
    for stream in (own, desk):
        stream.wait("ready")
    assert gw.delete(f"/v1/desk/customers/{ada.customer}").status == 204
    assert desk.wait("thread.removed").data["customer"]["id"] == ada.customer
    while own.next():
        pass
    thread = ada.thread_path.rpartition("/")[2]
    assert gw.get(ada.path).status == 404
    assert gw.call("GET", f"{ada.path}/threads", token=ada.token).status in (401, 404)
    assert gw.get(f"/v1/desk/threads/{thread}").status == 404
    assert gw.get(f"/v1/desk/customers/{ada.customer}/export").code == "unknownCustomer"
    assert gw.get(f"{other.path}/attachments/{ada.file['id']}").status == 404
    found = gw.get("/v1/desk/search?q=SecretQuestion&limit=200")["items"]
    assert ada.customer not in {hit["customer"]["id"] for hit in found}
    assert thread not in {item["id"] for item in gw.all("/v1/desk/threads")}
    # The other one has everything.
    assert len(gw.get(f"{other.path}/threads")["items"]) == 1
    # Whoever was away is told.
    page = gw.get(f"/v1/desk/events?after={cursor}", headers={"Accept": "application/json"}).json
    assert [event["data"]["threadId"] for event in page["items"] if event["type"] == "thread.removed"] == [thread]
    assert "Secret" not in json.dumps(page)
    # It may be repeated, and the same id is a new customer.
    assert gw.delete(f"/v1/desk/customers/{ada.customer}").status == 204
    anew = Chat(gw, "contract-multi", id=ada.customer)
    assert anew.session["customer"] == {"id": ada.customer}
    assert gw.get(f"{anew.path}/threads")["items"] == []


@pytest.mark.parametrize("has_left", [False, True])
def test_in_threads_of_others_the_words_go_and_the_thread_stays(gw, has_left):
    owner, guest = Chat(gw, "contract-multi"), Chat(gw, "contract-multi", firstName="SecretGuest")
    thread, at_desk = owner.open()
    gw.post(f"{at_desk}/members", {"members": [{"id": guest.customer}]})
    theirs = f"{guest.path}/threads/{thread.rpartition('/')[2]}"
    parent, plain = guest.say(theirs, "SecretParent"), guest.say(theirs, "SecretPlain")
    owner.say(thread, "A reply", parentId=parent["id"])
    if has_left:
        assert gw.post(f"{theirs}/leave").status == 204
    assert gw.delete(f"/v1/desk/customers/{guest.customer}").status == 204
    messages = gw.get(f"{thread}/messages?replies=all")["items"]
    assert "Secret" not in json.dumps(messages) and plain["id"] not in {message["id"] for message in messages}
    kept = next(message for message in messages if message["id"] == parent["id"])
    assert kept["author"] == {"id": "removed", "kind": "customer"} and not kept.get("text")
    assert [member["id"] for member in gw.get(thread)["members"]] == [owner.customer]


def test_the_command_erases_when_it_is_said(gw, ada):
    assert parley(gw, "customer", "erase", ada.customer).returncode == 64
    assert gw.get(ada.path).status == 200
    assert parley(gw, "customer", "erase", ada.customer, "--yes").returncode == 0
    assert gw.get(ada.path).status == 404


def test_one_channel_alone(gw, ada):
    elsewhere = Chat(gw, "contract-single", id=ada.customer)
    assert gw.delete(f"/v1/desk/customers/{ada.customer}?channel=contract-single").status == 204
    assert gw.get(elsewhere.path).status == 404 and gw.get(ada.path).status == 200


def test_a_service_that_is_not_there(gw):
    for method, path in (("DELETE", ""), ("GET", "/export")):
        assert gw.call(method, f"/v1/desk/customers/c1{path}?service=none").code == "unknownService"
