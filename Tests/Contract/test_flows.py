"""What takes several requests: the chat itself, versions, paging, repetition, restart."""

import re
import threading
import uuid

import pytest
from chat import Chat


def items(answer):
    return answer.json["items"]


# -- sessions and customers


def test_a_session_opens_ready(gw):
    answer = gw.post("/v1/sessions", {"channel": "contract-multi", "customer": {"id": "cust / 1", "firstName": "Ann"}})
    session = answer.json
    assert answer.status == 201 and answer.header("Location") == f"/v1/sessions/{session['id']}"
    assert (session["state"], session["mode"], session["service"]) == ("ready", "multithread", "local")
    assert session["customer"] == {"id": "cust / 1", "firstName": "Ann"}
    assert "token" not in gw.get(answer.header("Location")).json
    assert session["id"] in [each["id"] for each in gw.all("/v1/sessions?limit=200")]


def test_a_customer_without_id_gets_one(gw):
    one, two = (gw.post("/v1/sessions", {"channel": "contract-multi"}).json["customer"]["id"] for _ in "ab")
    assert one != two
    assert str(uuid.UUID(one)) == one


def test_disconnect_and_connect(gw, multi):
    thread = multi.thread()
    gone = gw.post(f"{multi.path}/disconnect")
    assert gone.status == 200 and gone["state"] not in ("connected", "ready")
    assert gw.post(f"{thread}/messages", {"text": "a"}).code == "notConnected"
    assert gw.post(f"{multi.path}/connect")["state"] == "ready"
    assert gw.post(f"{multi.path}/connect")["state"] == "ready"
    assert gw.post(f"{thread}/messages", {"text": "a"}).status == 201


def test_a_deleted_session_is_gone(gw, multi):
    assert gw.delete(multi.path).status == 204
    assert gw.get(multi.path).code == "unknownSession"
    assert gw.delete(multi.path).code == "unknownSession"
    assert gw.get(multi.path, token=multi.token).status in (401, 403, 404)


def test_threads_outlive_the_session(gw):
    first = Chat(gw, "contract-multi", id=f"cust-{uuid.uuid4()}")
    thread, _ = first.open(name="Kept")
    gw.delete(first.path)
    second = Chat(gw, "contract-multi", id=first.customer)
    assert [each["name"] for each in items(gw.get(f"{second.path}/threads"))] == ["Kept"]


def test_two_sessions_of_one_account_are_two_devices(gw):
    one = Chat(gw, "contract-multi", id=f"cust-{uuid.uuid4()}")
    two = Chat(gw, "contract-multi", id=one.customer)
    thread = one.thread(name="Shared")
    assert gw.get(f"{two.path}/threads/{thread.rpartition('/')[2]}")["name"] == "Shared"


def test_strangers_do_not_see_each_other(gw, multi):
    thread, _ = multi.open()
    stranger = Chat(gw, "contract-multi")
    assert items(gw.get(f"{stranger.path}/threads")) == []
    assert gw.get(f"{stranger.path}/threads/{thread.rpartition('/')[2]}").code == "unknownThread"


def test_a_single_thread_channel_has_its_thread_at_once(gw, single):
    threads = items(gw.get(f"{single.path}/threads"))
    assert len(threads) == 1 and threads[0]["state"] == "pending"
    thread = f"{single.path}/threads/{threads[0]['id']}"
    single.say(thread)
    gw.post(f"{single.path}/disconnect")
    gw.post(f"{single.path}/connect")
    assert [each["id"] for each in items(gw.get(f"{single.path}/threads"))] == [threads[0]["id"]]


def test_the_customer_is_named(gw, multi):
    thread = multi.thread()
    assert gw.put(f"{multi.path}/customer", {"firstName": "Eva"}).json == {"id": multi.customer, "firstName": "Eva"}
    assert gw.get(f"{multi.path}/customer").json == {"id": multi.customer, "firstName": "Eva"}
    assert gw.get(thread)["members"] == [{"id": multi.customer, "firstName": "Eva"}]
    assert gw.get(multi.path)["customer"]["firstName"] == "Eva"


@pytest.mark.parametrize("where", ["customer", "thread"])
def test_custom_fields_merge(gw, multi, where):
    path = f"{multi.path}/customer/customFields" if where == "customer" else f"{multi.thread()}/customFields"
    assert gw.get(path).json == {"customFields": {}}
    assert gw.put(path, {"customFields": {"a": "1", "b": "2"}}).json == {"customFields": {"a": "1", "b": "2"}}
    assert gw.put(path, {"customFields": {"b": "3", "a": "", "c": ""}}).json == {"customFields": {"a": "1", "b": "3"}}
    assert gw.get(path).json == {"customFields": {"a": "1", "b": "3"}}


# -- threads


def test_a_thread_lives(gw, multi):
    created = gw.post(f"{multi.path}/threads", {"id": "my / thread?", "name": "One", "customFields": {"k": "v"}})
    thread = created.header("Location")
    assert created.status == 201 and created["state"] == "pending" and created["id"] == "my / thread?"
    assert created["customFields"] == {"k": "v"} and created["canAddMoreMessages"] is True
    assert gw.get(thread).json == created.json
    multi.say(thread, "x" * 300)
    seen = gw.get(thread)
    assert seen["state"] == "ready" and seen["lastMessage"]["text"] == "x" * 256
    assert seen["deskUnreadCount"] == 1 and seen["unreadCount"] == 0
    assert gw.patch(thread, {"name": "Two"})["name"] == "Two"
    assert "name" not in gw.patch(thread, {"name": None}).json
    assert gw.post(f"{thread}/archive")["state"] == "closed"
    assert gw.get(thread)["canAddMoreMessages"] is False
    ids = {state: [each["id"] for each in items(gw.get(f"{multi.path}/threads?state={state}"))] for state in ("open", "closed", "all")}
    assert ids == {"open": [], "closed": ["my / thread?"], "all": ["my / thread?"]}


def test_the_same_thread_id_again(gw, multi):
    first = gw.post(f"{multi.path}/threads", {"id": "again", "name": "One"})
    again = gw.post(f"{multi.path}/threads", {"id": "again", "name": "One"})
    assert (again.status, again.json) == (200, first.json)
    assert gw.post(f"{multi.path}/threads", {"id": "again", "name": "Two"}).code == "threadIdConflict"
    assert len(items(gw.get(f"{multi.path}/threads"))) == 1


def test_threads_are_listed_by_latest_activity_and_paged(gw, multi):
    threads = [multi.thread(name=str(number)) for number in range(5)]
    for number in (3, 0):
        multi.say(threads[number])
    names, path = [], f"{multi.path}/threads?limit=2"
    while path:
        page = gw.get(path)
        names += [each["name"] for each in items(page)]
        path = page.link("next")
    assert names == ["0", "3", "4", "2", "1"]


def test_read_and_unread(gw, multi):
    thread, at_desk = multi.open()
    mine = items(gw.get(f"{thread}/messages"))[0]
    assert mine["status"] == "delivered" and "seenAt" not in mine
    assert gw.get(at_desk)["deskUnreadCount"] == 1
    assert gw.post(f"{at_desk}/read").status == 204
    assert gw.get(at_desk)["deskUnreadCount"] == 0
    mine = gw.get(f"{thread}/messages/{mine['id']}")
    assert mine["status"] == "seen" and mine["seenAt"]
    answer = gw.post(f"{at_desk}/messages", {"text": "Yes?", "agent": {"id": "eve", "name": "Eve"}})
    assert answer.status == 201 and answer["direction"] == "toClient" and answer["status"] == "delivered"
    assert answer["author"] == {"id": "eve", "name": "Eve", "kind": "agent"}
    assert gw.get(thread)["unreadCount"] == 1
    assert gw.post(f"{thread}/read").status == 204
    assert gw.get(thread)["unreadCount"] == 0
    assert gw.get(f"{at_desk}/messages/{answer['id']}")["status"] == "seen"


# -- messages


def test_a_message_lives(gw, multi):
    thread = multi.thread()
    sent = gw.post(f"{thread}/messages", {"id": "m / 1", "text": "Hé 😀 \u0001", "customType": "note"})
    place = sent.header("Location")
    assert sent.status == 201 and (sent["id"], sent["text"], sent["customType"]) == ("m / 1", "Hé 😀 \u0001", "note")
    assert (sent["direction"], sent["type"], sent["status"], sent["attachments"]) == ("toAgent", "text", "delivered", [])
    assert sent["author"]["id"] == multi.customer and sent["author"]["kind"] == "customer"
    assert gw.get(place).json == sent.json
    again = gw.post(f"{thread}/messages", {"id": "m / 1", "text": "Hé 😀 \u0001", "customType": "note"})
    assert again.status == 200 and again.json == sent.json
    assert gw.post(f"{thread}/messages", {"id": "m / 1", "text": "other"}).code == "messageIdConflict"
    edited = gw.patch(place, {"text": "edited"})
    assert edited.status == 200 and edited["text"] == "edited" and edited["updatedAt"] > sent["updatedAt"]
    assert edited["createdAt"] == sent["createdAt"]
    assert gw.get(thread)["lastMessage"]["text"] == "edited"
    assert gw.delete(place).status == 204
    assert gw.get(place).code == "unknownMessage" and gw.delete(place).code == "unknownMessage"
    assert items(gw.get(f"{thread}/messages")) == []
    assert "lastMessage" not in gw.get(thread).json


def test_pages_over_120_messages(gw, multi):
    thread = multi.thread()
    sent = [multi.say(thread, f"number {number}")["id"] for number in range(120)]
    pages, path = [], f"{thread}/messages"
    while path:
        page = gw.get(path)
        assert page.header("Parley-Cursor") == page["cursor"]
        assert (page.link("next") is None) == ("next" not in page.json)
        assert (page.link("prev") is None) == ("prev" not in page.json)
        pages.append(page)
        path = page.link("next")
        assert path is None or path.startswith("/v1/")
        if len(pages) == 1:  # what comes now moves nothing on the older pages
            late = multi.say(thread, "late")["id"]
    assert [len(items(page)) for page in pages] == [50, 50, 20]
    assert [each["id"] for page in pages for each in items(page)] == sent[::-1]
    assert "prev" not in pages[0].json and "next" not in pages[2].json
    back = gw.get(pages[2].link("prev"))
    assert [each["id"] for each in items(back)] == [each["id"] for each in items(pages[1])]
    assert items(gw.get(f"{thread}/messages?limit=1"))[0]["id"] == late
    assert len(items(gw.get(f"{thread}/messages?limit=200"))) == 121


def test_a_cursor_belongs_to_its_list(gw, multi):
    one, two = multi.thread(), multi.thread()
    for number in range(3):
        multi.say(one, str(number))
        multi.say(two, str(number))
    following = gw.get(f"{one}/messages?limit=1")["next"]
    assert gw.get(f"{two}/messages?limit=1&cursor={following}").code == "invalidParameter"


def test_versions_of_a_list(gw, multi):
    thread, _ = multi.open()
    page = gw.get(f"{thread}/messages")
    tag = page.header("ETag")
    assert tag.startswith("W/")
    for sent in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        same = gw.get(f"{thread}/messages", headers={"If-None-Match": sent})
        assert same.status == 304 and same.body == b"" and same.header("ETag") == tag, sent
    assert gw.get(f"{thread}/messages", headers={"If-None-Match": '"other"'}).status == 200
    assert gw.get(f"{thread}/messages?limit=1").header("ETag") != tag
    Chat(gw, "contract-multi").open()  # the log moves, this list does not
    assert gw.get(f"{thread}/messages", headers={"If-None-Match": tag}).status == 304
    multi.say(thread, "more")
    assert gw.get(f"{thread}/messages", headers={"If-None-Match": tag}).status == 200
    threads = gw.get(f"{multi.path}/threads")
    assert gw.get(f"{multi.path}/threads", headers={"If-None-Match": threads.header("ETag")}).status == 304


def test_versions_of_one_thing(gw, multi):
    thread, at_desk = multi.open()
    message = f"{thread}/messages/{items(gw.get(f'{thread}/messages'))[0]['id']}"
    tag = gw.get(message).header("ETag")
    assert gw.get(message, headers={"If-None-Match": tag}).status == 304
    assert gw.patch(message, {"text": "one"}, headers={"If-Match": tag}).status == 200
    stale = gw.patch(message, {"text": "two"}, headers={"If-Match": tag})
    assert (stale.status, stale.code) == (412, "preconditionFailed")
    assert gw.get(message)["text"] == "one"
    assert gw.delete(message, headers={"If-Match": tag}).status == 412
    assert gw.delete(message, headers={"If-Match": "*"}).status == 204
    tag = gw.get(thread).header("ETag")
    assert gw.get(thread, headers={"If-None-Match": tag}).status == 304
    assert gw.patch(thread, {"name": "New"}, headers={"If-Match": '"other"'}).status == 412
    assert gw.patch(thread, {"name": "New"}, headers={"If-Match": tag}).status == 200
    assert gw.get(thread, headers={"If-None-Match": tag}).status == 200


def test_versions_of_customers_and_their_fields(gw, multi):
    """What has no number of its own is guarded by what it has."""
    thread, _ = multi.open()
    fields = lambda number: {"customFields": {"color": f"red {number}"}}
    for path, body in ((f"{multi.path}/customer", lambda number: {"firstName": f"Ann {number}"}), (f"{multi.path}/customer/customFields", fields), (f"{thread}/customFields", fields)):
        tag = gw.get(path).header("ETag")
        assert gw.get(path, headers={"If-None-Match": tag}).status == 304
        first = gw.put(path, body(1), headers={"If-Match": tag})
        assert first.status == 200 and first.header("ETag") == gw.get(path).header("ETag") != tag
        stale = gw.put(path, body(2), headers={"If-Match": tag})
        assert (stale.status, stale.code) == (412, "preconditionFailed") and gw.get(path).json == first.json
        assert gw.put(path, body(2), headers={"If-Match": first.header("ETag")}).status == 200
        assert gw.put(path, body(3), headers={"If-Match": "*"}).status == 200
    tag = gw.get(thread).header("ETag")
    multi.say(thread, "one more thing")
    stale = gw.post(f"{thread}/archive", headers={"If-Match": tag})
    assert (stale.status, stale.code) == (412, "preconditionFailed") and gw.get(thread)["state"] == "ready"
    assert gw.post(f"{thread}/archive", headers={"If-Match": gw.get(thread).header("ETag")}).status == 200


# -- the desk


def test_the_desk_holds_a_chat(gw, multi):
    thread, at_desk = multi.open(name="Desk")
    seen = gw.get(at_desk)
    assert (seen["channel"], seen["customer"]["id"], seen["name"]) == ("contract-multi", multi.customer, "Desk")
    assert at_desk.rpartition("/")[2] in [each["id"] for each in items(gw.get("/v1/desk/threads?channel=contract-multi&state=open"))]
    assert [each["text"] for each in items(gw.get(f"{at_desk}/messages"))] == ["Hello"]
    default = gw.post(f"{at_desk}/messages", {"text": "Hi"})
    assert default["author"] == {"id": "agent", "name": "Agent", "kind": "agent"}
    assert gw.post(f"{at_desk}/assign", {"agent": {"id": "eve", "name": "Eve"}})["agent"] == {"id": "eve", "name": "Eve"}
    assert gw.get(thread)["agent"] == {"id": "eve", "name": "Eve"}
    place = f"{at_desk}/messages/{default['id']}"
    tag = gw.get(place).header("ETag")
    assert gw.patch(place, {"text": "Hi!"}, headers={"If-Match": tag})["text"] == "Hi!"
    assert gw.delete(place).status == 204
    assert gw.get(f"{thread}/messages/{default['id']}").code == "unknownMessage"
    assert gw.post(f"{at_desk}/close")["state"] == "closed"
    assert gw.get(thread)["state"] == "closed"


def test_a_message_id_at_the_desk_again(gw, multi):
    _, at_desk = multi.open()
    body = {"id": "desk-1", "text": "Hi"}
    assert gw.post(f"{at_desk}/messages", body).status == 201
    assert gw.post(f"{at_desk}/messages", body).status == 200
    assert gw.post(f"{at_desk}/messages", {**body, "text": "Ho"}).code == "messageIdConflict"


def test_a_thread_id_that_two_customers_use(gw):
    name = f"same-{uuid.uuid4()}"
    chats = [Chat(gw, "contract-multi"), Chat(gw, "contract-multi")]
    for chat in chats:
        chat.open(id=name)
    assert gw.get(f"/v1/desk/threads/{name}").code == "ambiguousThread"
    assert gw.post(f"/v1/desk/threads/{name}/close").code == "ambiguousThread"
    for chat in chats:
        pick = f"?channel=contract-multi&customer={chat.customer}"
        assert gw.get(f"/v1/desk/threads/{name}{pick}")["customer"]["id"] == chat.customer
        assert gw.post(f"/v1/desk/threads/{name}/messages{pick}", {"text": chat.customer}).status == 201
    for chat in chats:
        assert items(gw.get(f"{chat.path}/threads/{name}/messages"))[0]["text"] == chat.customer


def test_channels_are_added(gw):
    id = f"new-{uuid.uuid4()}"
    answer = gw.post("/v1/desk/channels", {"id": id, "name": "New", "mode": "singlethread"})
    assert answer.status == 201 and (answer["id"], answer["name"], answer["mode"]) == (id, "New", "singlethread")
    assert gw.get(f"/v1/services/local/channels/{id}").json == {**answer.json, "isOpen": True}
    assert id in [each["id"] for each in items(gw.get("/v1/desk/channels"))]
    assert gw.post("/v1/desk/channels", {"id": id, "mode": "singlethread"}).code == "channelExists"
    assert Chat(gw, id).session["mode"] == "singlethread"


# -- Idempotency-Key


def test_a_key_makes_a_repetition_harmless(gw, multi):
    thread, key = multi.thread(), {"Idempotency-Key": str(uuid.uuid4())}
    first = gw.post(f"{thread}/messages", {"text": "once"}, headers=key)
    assert first.status == 201 and first.header("Idempotency-Replayed") is None
    for sent in (key, {"Idempotency-Key": f'"{key["Idempotency-Key"]}"'}):
        again = gw.post(f"{thread}/messages", {"text": "once"}, headers=sent)
        assert (again.status, again.body, again.header("Idempotency-Replayed")) == (201, first.body, "true")
        assert again.header("Location") == first.header("Location")
    other = gw.post(f"{thread}/messages", {"text": "twice"}, headers=key)
    assert (other.status, other.code) == (422, "idempotencyKeyReused")
    assert [each["text"] for each in items(gw.get(f"{thread}/messages"))] == ["once"]


def test_a_key_is_for_one_path_and_one_token(gw, multi):
    key = {"Idempotency-Key": str(uuid.uuid4())}
    one, two = multi.thread(), multi.thread()
    ids = {gw.post(f"{thread}/messages", {"text": "a"}, headers=key, token=token)["id"]
           for thread in (one, two) for token in (gw.token, multi.token)}
    assert len(ids) == 4


@pytest.mark.parametrize("key", ["", "x" * 256, "caf\u00e9", "a\tb", '""'])
def test_a_malformed_key(gw, multi, key):
    answer = gw.post(f"{multi.path}/threads", {}, headers={"Idempotency-Key": key})
    assert (answer.status, answer.code) == (400, "invalidIdempotencyKey")
    assert items(gw.get(f"{multi.path}/threads")) == []


def test_a_key_on_every_writing_post(gw, multi):
    thread, at_desk = multi.open()
    posts = [("/v1/sessions", {"channel": "contract-multi"}), (f"{multi.path}/threads", {"name": "n"}), (f"{thread}/read", None), (f"{thread}/load", None),
             (f"{multi.path}/connect", None), (f"{multi.path}/sync", {"state": "running"}), (f"{multi.path}/clearCache", None), (f"{at_desk}/messages", {"text": "a"}),
             (f"{at_desk}/assign", {"agent": {"id": "e", "name": "E"}}), (f"{at_desk}/read", None), ("/v1/desk/channels", {"id": f"k-{uuid.uuid4()}", "mode": "multithread"}),
             (f"{at_desk}/close", None)]
    for path, body in posts:
        key = {"Idempotency-Key": str(uuid.uuid4())}
        first, again = (gw.post(path, body, headers=key) for _ in "ab")
        assert first.status < 300, first
        assert (again.status, again.body, again.header("Idempotency-Replayed")) == (first.status, first.body, "true"), path


def test_many_at_once_with_one_key_write_once(gw, multi):
    thread, key, answers = multi.thread(), {"Idempotency-Key": str(uuid.uuid4())}, []
    senders = [threading.Thread(target=lambda: answers.append(gw.post(f"{thread}/messages", {"text": "a"}, headers=key))) for _ in range(16)]
    [sender.start() for sender in senders]
    [sender.join() for sender in senders]
    assert len(answers) == 16
    assert {(answer.status, answer.code) for answer in answers} <= {(201, None), (409, "idempotencyKeyInFlight")}
    assert len({answer["id"] for answer in answers if answer.status == 201}) == 1
    assert len(items(gw.get(f"{thread}/messages"))) == 1


# -- restart


def test_all_survives_a_restart(own):
    chat = Chat(own, "contract-multi", id="kept", firstName="Ann")
    idle = own.post("/v1/sessions", {"channel": "contract-multi", "connect": False}).json
    thread, at_desk = chat.open(name="Kept")
    key = {"Idempotency-Key": "restart"}
    sent = own.post(f"{thread}/messages", {"text": "kept"}, headers=key, token=chat.token)
    before, token, info = own.get(f"{thread}/messages"), own.token, own.get("/v1/info").json
    with chat.events() as stream:
        cursor = stream.wait("ready").data["cursor"]
        assert own.stop() == 0
    own.start()
    assert own.token == token
    after = own.get("/v1/info").json
    assert (after["epoch"], after["instance"]) == (info["epoch"], info["instance"]) and after["head"] >= info["head"]
    assert own.get(chat.path, token=chat.token)["state"] == "ready"  # ready at once: /readyz said so
    assert own.get(f"/v1/sessions/{idle['id']}")["state"] == idle["state"]
    assert items(own.get(f"{thread}/messages")) == items(before)
    again = own.post(f"{thread}/messages", {"text": "kept"}, headers=key, token=chat.token)
    assert (again.status, again.body, again.header("Idempotency-Replayed")) == (201, sent.body, "true")
    assert own.post(f"{at_desk}/messages", {"text": "still here"}).status == 201
    with chat.events(f"?after={cursor}") as stream:
        assert stream.wait("message.created").data["message"]["text"] == "still here"


def test_what_is_on_the_screen_is_said_again_after_a_restart(own):
    chat = Chat(own, "contract-multi")
    viewing = f"{chat.path}/viewing"
    assert own.put(viewing, {"threadId": chat.thread().rpartition("/")[2]}).status == 204
    assert own.get(viewing)["notifies"] is True
    own.restart()
    after = own.get(viewing).json
    assert after.pop("knownSince")
    assert after == {"notifies": False, "screens": [], "threadIds": []}


def test_nothing_that_was_answered_is_lost_by_a_kill(own):
    chat = Chat(own, "contract-multi")
    thread = chat.thread()
    sent = [chat.say(thread, str(number))["id"] for number in range(20)]
    own.kill()
    own.start()
    assert [each["id"] for each in items(own.get(f"{thread}/messages"))] == sent[::-1]
    assert re.fullmatch(r"\S{16,}", own.token)


def test_a_thread_is_removed_for_good(gw, multi):
    thread, at_desk = multi.open(name="Gone")
    start = gw.get("/v1/desk/threads")["cursor"]
    tag = gw.get(at_desk).header("ETag")
    assert gw.delete(f"{at_desk}?as=remover", headers={"If-Match": tag}).status == 204
    for place in (thread, f"{thread}/messages", at_desk, f"{at_desk}/messages"):
        assert gw.get(place).code == "unknownThread"
    assert gw.delete(at_desk).code == "unknownThread"
    for feed in ("/v1/desk/events", f"{multi.path}/events"):
        events = gw.get(f"{feed}?after={start}", headers={"Accept": "application/json"})["items"]
        events = [event for event in events if event["data"].get("threadId") == thread.rpartition("/")[2]]
        assert [event["type"] for event in events] == ["thread.removed"]
        assert events[0]["data"]["actor"] == {"id": "remover", "kind": "agent"}
    # Its id is free again.
    assert multi.open(id=thread.rpartition("/")[2], name="New")[0] == thread


def test_a_vouched_name_is_not_the_customers_to_change(gw):
    named = gw.post("/v1/sessions", {"channel": "contract-multi", "customer": {"firstName": "Ann"}})
    place = f"/v1/sessions/{named['id']}/customer"
    refused = gw.call("PUT", place, {"firstName": "CEO"}, token=named["token"])
    assert (refused.status, refused.code) == (403, "nameVouched")
    assert gw.call("PUT", place, {"firstName": "Ann"}, token=named["token"]).status == 200
    # Another session of the same customer is no way around it.
    other = gw.post("/v1/sessions", {"channel": "contract-multi", "customer": {"id": named["customer"]["id"]}})
    assert gw.call("PUT", f"/v1/sessions/{other['id']}/customer", {}, token=other["token"]).code == "nameVouched"
    assert gw.put(place, {"firstName": "Bea"}).status == 200
    assert gw.get(place)["firstName"] == "Bea"
    nameless = gw.post("/v1/sessions", {"channel": "contract-multi"})
    assert gw.call("PUT", f"/v1/sessions/{nameless['id']}/customer", {"firstName": "Cleo"}, token=nameless["token"]).status == 200


def test_a_claim_has_one_winner(gw, multi):
    _, at_desk = multi.open()
    eve, bo = {"id": "eve", "name": "Eve"}, {"id": "bo", "name": "Bo"}
    assert gw.post(f"{at_desk}/assign", {"agent": eve, "ifAgent": "none"}).status == 200
    assert gw.post(f"{at_desk}/assign", {"agent": bo, "ifAgent": "none"}).code == "assignedToAnother"
    assert gw.post(f"{at_desk}/messages", {"text": "Hi", "agent": bo, "ifAgent": "meOrNone"}).code == "assignedToAnother"
    assert gw.post(f"{at_desk}/messages", {"text": "Hi", "agent": eve, "ifAgent": "meOrNone"}).status == 201
    tag = gw.get(at_desk).header("ETag")
    assert gw.post(f"{at_desk}/assign", {"agent": bo}, headers={"If-Match": tag}).status == 200
    assert gw.post(f"{at_desk}/assign", {"agent": eve}, headers={"If-Match": tag}).code == "preconditionFailed"


def test_a_closed_thread_can_be_read(gw, multi):
    thread, at_desk = multi.open()
    answer = gw.post(f"{at_desk}/messages", {"text": "Bye"})
    gw.post(f"{at_desk}/close")
    assert gw.get(thread)["unreadCount"] == 1
    assert gw.post(f"{thread}/read").status == 204
    assert gw.get(thread)["unreadCount"] == 0
    assert gw.get(f"{at_desk}/messages/{answer['id']}")["status"] == "seen"
