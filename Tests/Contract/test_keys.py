"""Keys: what they are, what they open and see, and how they end."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest
from chat import Chat, add_channels
from gateway import Gateway, until
from keys import Key


@pytest.fixture(scope="module")
def gw():
    with Gateway() as gateway:
        yield add_channels(gateway)


def test_a_key_as_a_resource(gw):
    made = gw.post("/v1/keys", {"name": "Prometheus", "scopes": ["metrics.read"]})
    assert made.status == 201 and re.fullmatch(r"plk_[0-9A-Za-z]{46}", made["secret"])
    assert made.header("Location") == f"/v1/keys/{made['id']}" and made["secret"][4:12] == made["id"]
    assert made.header("Cache-Control") == "no-store"
    shown = gw.get(made.header("Location"))
    assert shown.json == {name: value for name, value in made.json.items() if name != "secret"}
    assert shown["createdBy"] == "gateway" and shown["state"] == "active" and "lastUsedAt" not in shown.json
    assert shown.json in gw.get("/v1/keys")["items"] and "secret" not in gw.get("/v1/keys").text

    assert gw.get("/metrics", token=made["secret"]).status == 200
    assert "lastUsedAt" in gw.get(made.header("Location")).json
    changed = gw.patch(made.header("Location"), {"name": "Scraper", "expiresAt": None})
    assert changed["name"] == "Scraper" and "expiresAt" not in changed.json
    assert gw.delete(made.header("Location")).status == 204
    assert gw.delete(made.header("Location")).code == "unknownKey"
    assert gw.get("/metrics", token=made["secret"]).code == "unauthorized"


@pytest.mark.parametrize("body, pointer", [
    ({"scopes": ["metrics.read"]}, "#/name"),
    ({"name": "", "scopes": ["metrics.read"]}, "#/name"),
    ({"name": "x"}, "#/scopes"),
    ({"name": "x", "scopes": []}, "#/scopes"),
    ({"name": "x", "scopes": "metrics.read"}, "#/scopes"),
    ({"name": "x", "scopes": ["metrics"]}, "#/scopes"),
    ({"name": "x", "scopes": ["metrics.read", "metrics.read"]}, "#/scopes"),
    ({"name": "x", "scopes": ["metrics.read"], "channels": ["help"]}, "#/channels"),
    ({"name": "x", "scopes": ["desk.read"], "channels": []}, "#/channels"),
    ({"name": "x", "scopes": ["desk.read"], "channels": [""]}, "#/channels"),
    ({"name": "x", "scopes": ["desk.read"], "expiresAt": "2001-01-01T00:00:00Z"}, "#/expiresAt"),
    ({"name": "x", "scopes": ["desk.read"], "expiresAt": "9001-01-01T00:00:00Z"}, "#/expiresAt"),
    ({"name": "x", "scopes": ["desk.read"], "expiresAt": 7}, "#/expiresAt"),
    ({"name": "x", "scopes": ["desk.read"], "agent": {"id": "bot"}}, "#/agent/name"),
])
def test_a_key_that_cannot_be_is_refused(gw, body, pointer):
    answer = gw.post("/v1/keys", body)
    assert answer.status == 422 and pointer in [each["pointer"] for each in answer["errors"]], answer.text


def test_an_unknown_scope_is_told_which_there_are(gw):
    answer = gw.post("/v1/keys", {"name": "x", "scopes": ["everything"]})
    assert "metrics.read" in answer["errors"][0]["detail"] and "desk.write" in answer["errors"][0]["detail"]


def test_the_text_of_a_key_is_shown_once_and_kept_nowhere(own):
    body, header = {"name": "x", "scopes": ["metrics.read"]}, {"Idempotency-Key": "one"}
    made = own.post("/v1/keys", body, headers=header)
    again = own.post("/v1/keys", body, headers=header)
    assert again.status == 201 and again["id"] == made["id"] and "secret" not in again.json
    assert again.header("Idempotency-Replayed") == "true" and len(own.get("/v1/keys")["items"]) == 1
    rotated = own.post(f"/v1/keys/{made['id']}/rotate", {}, headers={"Idempotency-Key": "two"})
    assert "secret" not in own.post(f"/v1/keys/{made['id']}/rotate", {}, headers={"Idempotency-Key": "two"}).json
    own.get("/metrics", token=made["secret"])
    assert own.stop() == 0
    for file in own.folder.rglob("*"):
        if file.is_file() and file.name != "token":
            for secret in (made["secret"], rotated["secret"]):
                assert secret.encode() not in file.read_bytes(), file.name
    for secret in (made["secret"], rotated["secret"]):
        assert secret not in own.log()


def test_keys_are_there_after_a_restart(own):
    key = Key(own, "metrics.read")
    own.restart()
    assert key.get("/metrics").status == 200
    key.end()
    own.restart()
    assert key.get("/metrics").status == 401


def test_a_rotated_key_has_two_texts_for_a_time(gw):
    key = Key(gw, "metrics.read")
    second = gw.post(f"{key.path}/rotate", {"overlapSeconds": 3600})
    assert second["id"] == key.id and second["secret"] != key.text and "previousUntil" in second.json
    for text in (key.text, second["secret"]):
        assert gw.get("/metrics", token=text).status == 200
    third = gw.post(f"{key.path}/rotate", {"overlapSeconds": 0})
    assert "previousUntil" not in third.json
    for text in (key.text, second["secret"]):
        assert gw.get("/metrics", token=text).status == 401
    assert gw.get("/metrics", token=third["secret"]).status == 200
    key.end()


@pytest.mark.parametrize("path", ["/v1/events?all=true", "/v1/desk/events", "/v1/events?desk=true", "/v1/sessions/{session}/events",
                                  "/v1/sessions/{session}/collections/{collection}/events"])
@pytest.mark.parametrize("form", ["text/event-stream", "application/x-ndjson"])
def test_streams_end_with_the_key(gw, path, form):
    chat = Chat(gw, "contract-multi")
    chat.open()
    collection = gw.post(f"{chat.path}/collections", {"kind": "threads"})["id"]
    key = Key(gw, "sessions.write", "desk.write", "inspect.write")
    with gw.events(path.format(session=chat.id, collection=collection), token=key.text, form=form) as stream:
        stream.next()
        key.end()
        assert stream.wait("access.ended").data == {"reason": "revoked"}
        assert stream.next() is None


def test_a_page_that_waits_is_answered_when_the_key_ends(own):
    key = Key(own, "desk.read")
    info = own.get("/v1/info")
    with ThreadPoolExecutor() as pool:
        answer = pool.submit(key.get, f"/v1/desk/events?after={info['epoch']}-{info['head']}&wait=50", headers={"Accept": "application/json"})
        until("the page to wait", lambda: "parley_pages_waiting 1" in own.get("/metrics").text)
        key.end()
        assert answer.result().code == "unauthorized"


def test_a_stream_of_the_former_text_ends_with_its_overlap(gw):
    key = Key(gw, "desk.read")
    with gw.events("/v1/desk/events", token=key.text) as stream:
        stream.wait("ready")
        gw.post(f"{key.path}/rotate", {"overlapSeconds": 0})
        assert stream.wait("access.ended").data == {"reason": "expired"}


def test_a_key_reaches_the_sessions_of_its_channels(gw):
    inside, outside = Chat(gw, "contract-multi"), Chat(gw, "contract-single")
    key = Key(gw, "sessions.write", channels=["contract-multi"])
    assert key.get(inside.path).status == 200
    assert key.get(f"{inside.path}/threads").status == 200
    for answer in (key.get(outside.path), key.get(f"{outside.path}/threads"), key.delete(outside.path)):
        assert (answer.status, answer.code) == (404, "unknownSession")
    assert {each["channel"]["id"] for each in key.get("/v1/sessions?limit=200")["items"]} == {"contract-multi"}
    assert key.post("/v1/sessions", {"channel": "contract-multi"}).status == 201
    assert key.post("/v1/sessions", {"channel": "contract-single"}).code == "outsideChannels"
    gone = key.delete(f"/v1/sessions?customer={outside.session['customer']['id']}")
    assert gone["deleted"] == 0 and gw.get(outside.path).status == 200
    assert key.get(f"/v1/events?session={outside.id}").code == "unknownSession"
    assert key.call("HEAD", f"/v1/events?session={inside.id}").status == 200
    assert key.get(f"/v1/events?session={inside.id}&desk=true").code == "insufficientScope"
    assert key.get("/v1/events?all=true").json["missingScope"] == "inspect.read"
    key.end()


def test_a_key_reaches_the_conversations_of_its_channels(gw):
    inside, outside = Chat(gw, "contract-multi"), Chat(gw, "contract-single")
    thread, inner = inside.open()
    inside.say(thread, "needle inside")
    single = f"{outside.path}/threads/" + gw.get(f"{outside.path}/threads")["items"][0]["id"]
    outside.say(single, "needle outside")
    outer = "/v1/desk/threads/" + single.rpartition("/")[2]
    key = Key(gw, "desk.write", "channels.read", channels=["contract-multi"])
    assert key.get(inner).status == 200
    assert key.post(f"{inner}/messages", {"text": "Hello"}).status == 201
    for answer in (key.get(outer), key.get(f"{outer}/messages"), key.post(f"{outer}/messages", {"text": "x"}),
                   key.get(f"{outer}/transcript"), key.post(f"{outer}/close"), key.get(f"{outer}/notes"),
                   key.post(f"{outer}/assign", {"agent": {"id": "a", "name": "A"}})):
        assert (answer.status, answer.code) == (404, "unknownThread")
    assert {each["channel"] for each in key.get("/v1/desk/threads?limit=200")["items"]} == {"contract-multi"}
    assert key.get("/v1/desk/threads?channel=contract-single").code == "outsideChannels"
    until("the search to find it", lambda: "needle inside" in gw.get("/v1/desk/search?q=needle").text
          and "needle outside" in gw.get("/v1/desk/search?q=needle").text)
    found = key.get("/v1/desk/search?q=needle").text
    assert "needle inside" in found and "needle outside" not in found
    assert [each["id"] for each in key.get("/v1/desk/channels")["items"]] == ["contract-multi"]
    assert key.get("/v1/desk/channels/contract-single").code == "unknownChannel"
    draft = {"channel": "contract-single", "members": [{"id": outside.session["customer"]["id"]}]}
    assert key.post("/v1/desk/threads", draft).code == "outsideChannels"
    # What belongs to the whole desk.
    for answer in (key.post("/v1/desk/devices", {"kind": "webPush", "subscription": {}}), key.get("/v1/desk/devices"),
                   key.post("/v1/desk/answers", {"name": "x", "text": "y"}), key.delete("/v1/desk/answers/x")):
        assert answer.code == "outsideChannels"
    key.end()


def test_the_desks_stream_of_a_key_has_its_channels_alone(gw):
    inside, outside = Chat(gw, "contract-multi"), Chat(gw, "contract-single")
    inner, _ = inside.open()
    single = f"{outside.path}/threads/" + gw.get(f"{outside.path}/threads")["items"][0]["id"]
    key = Key(gw, "desk.read", channels=["contract-multi"])
    with gw.events("/v1/desk/events", token=key.text) as stream:
        stream.wait("ready")
        gw.post(f"{single}/messages", {"text": "hidden"})
        gw.post(f"{single}/typing", {"isTyping": True})
        gw.post(f"{inner}/typing", {"isTyping": True})
        gw.post(f"{inner}/messages", {"text": "shown"})
        seen = stream.collect(lambda event: event.name == "message.created")
    assert seen[-1].data["message"]["text"] == "shown"
    assert {event.data.get("channel") or event.data["thread"]["channel"] for event in seen} == {"contract-multi"}
    assert "typing" in [event.name for event in seen]
    key.end()


def test_a_collection_at_the_desk_belongs_to_the_channels_of_its_key(gw):
    inside, outside = Chat(gw, "contract-multi"), Chat(gw, "contract-single")
    inside.open()
    key = Key(gw, "desk.read", channels=["contract-multi"])
    other = Key(gw, "desk.read", channels=["contract-single"])
    whole = gw.post("/v1/desk/collections", {"kind": "threads"})
    limited = key.post("/v1/desk/collections", {"kind": "threads", "firstPage": True})
    path = f"/v1/desk/collections/{limited['id']}"
    assert {each["channel"] for each in key.get(path)["items"]} == {"contract-multi"}
    assert key.get(f"/v1/desk/collections/{whole['id']}").code == "unknownCollection"
    assert other.get(path).code == "unknownCollection" and other.delete(path).code == "unknownCollection"
    assert [each["id"] for each in key.get("/v1/desk/collections")["items"]] == [limited["id"]]
    assert other.get("/v1/desk/collections")["items"] == []
    assert key.delete(path).status == 204
    assert gw.delete(f"/v1/desk/collections/{whole['id']}").status == 204
    for each in (key, other):
        each.end()


def test_a_key_with_an_agent_acts_as_that_one(gw):
    chat = Chat(gw, "contract-multi")
    _, thread = chat.open()
    key = Key(gw, "desk.write", agent={"id": "bot-7", "name": "Botty", "isBot": True})
    said = key.post(f"{thread}/messages", {"text": "Hello"})
    assert said["author"] == {"id": "bot-7", "name": "Botty", "kind": "bot"}, said.text
    assert key.post(f"{thread}/messages", {"text": "Hi", "agent": {"id": "bot-7", "name": "Boss"}})["author"]["name"] == "Botty"
    for answer in (key.post(f"{thread}/messages", {"text": "x", "agent": {"id": "maria", "name": "Maria"}}),
                   key.post(f"{thread}/read?as=maria"), key.post(f"{thread}/close?as=maria")):
        assert (answer.status, answer.code) == (403, "notYou")
    gw.post(f"{thread}/messages", {"text": "I am here", "agent": {"id": "maria", "name": "Maria"}})
    assert key.post(f"{thread}/assign", {"agent": {"id": "maria", "name": "Maria"}}).status == 200
    key.end()


def test_a_key_names_no_urls_of_a_platform(gw):
    key = Key(gw, "sessions.write")
    body = {"service": "cxone", "brandId": 1, "channelId": "c", "urls": {"chat": "http://127.0.0.1:9/chat", "socket": "ws://127.0.0.1:9/socket"}}
    assert key.post("/v1/sessions", body).code == "forbidden"


def test_who_acts_as_one_agent_gives_conversations_to_known_ones(gw):
    _, thread = Chat(gw, "contract-multi").open()
    gw.post(f"{thread}/messages", {"text": "Hello", "agent": {"id": "bo-known", "name": "Bo"}})
    bot = Key(gw, "desk.write", agent={"id": "giver", "name": "Giver"})
    given = bot.post(f"{thread}/assign", {"agent": {"id": "bo-known", "name": "Renamed"}})
    assert given.status == 200 and given["agent"]["name"] == "Bo"
    refused = bot.post(f"{thread}/assign", {"agent": {"id": "nobody-knows", "name": "The Boss"}})
    assert (refused.code, refused["errors"][0]["pointer"]) == ("invalidValue", "#/agent/id")
    assert gw.post(f"{thread}/assign", {"agent": {"id": "new-one", "name": "New"}}).status == 200


def test_nothing_is_told_after_a_keys_time(gw):
    chat = Chat(gw, "contract-multi")
    _, thread = chat.open()
    key = Key(gw, "desk.write")
    with gw.events("/v1/desk/events", token=key.text) as stream:
        gw.post(f"{thread}/messages", {"text": "before"})
        stream.wait("message.created")
        assert gw.post(f"{key.path}/rotate", {"overlapSeconds": 1}).status == 200
        until("the end of the former text", lambda: gw.call("GET", "/v1/desk/threads", token=key.text).status == 401)
        gw.post(f"{thread}/messages", {"text": "after"})
        rest = stream.collect(lambda event: event.name == "access.ended")
        assert stream.next() is None and not any("after" in str(event.data) for event in rest)


def test_the_audit_says_who_did_what(own):
    key = Key(own, "audit.read", "keys.read", name="Auditor")
    own.patch(key.path, {"name": "Reviser"})
    own.post(f"{key.path}/rotate", {"overlapSeconds": 60})
    other = Key(own, "metrics.read")
    other.end()
    entries = key.get("/v1/audit")["items"]
    entries = [each for each in entries if each["action"].startswith("key.")]
    assert [each["action"] for each in entries] == ["key.removed", "key.created", "key.rotated", "key.changed", "key.created"]
    assert {each["actor"] for each in entries} == {"gateway"} and all(each["address"].startswith("127.0.0.1") for each in entries)
    assert entries[-1]["subject"] == key.id and entries[-1]["detail"] == {"name": "Auditor", "scopes": ["audit.read", "keys.read"]}
    assert [each["action"] for each in key.get("/v1/audit?action=key.removed")["items"]] == ["key.removed"]
    assert len(key.get("/v1/audit?action=key.")["items"]) == 5 and key.get("/v1/audit?actor=nobody")["items"] == []
    first = key.get("/v1/audit?limit=2")
    older = re.match(r'<(.+)>; rel="next"', first.header("Link"))[1]
    assert key.get(older)["items"] == entries[2:4]
    assert other.text not in str(entries)
