"""The event streams: what comes first, what comes again, what ends them."""

import re
import threading
import uuid

import pytest
from chat import Chat
from gateway import until

LOGGED = ("chat.updated", "thread.created", "thread.updated", "message.created", "message.updated", "message.removed")


def offset(id):
    return int(id.rpartition("-")[2])


def texts(events):
    return [event.data["message"]["text"] for event in events if event.name == "message.created"]


def test_ready_comes_first(gw, multi):
    with multi.events() as stream:
        assert stream.status == 200
        assert stream.headers["Cache-Control"] and "no-store" in stream.headers["Cache-Control"]
        assert stream.headers["X-Request-Id"] and stream.headers["Content-Length"] is None
        first = stream.next()
        assert first.name == "ready" and first.retry and first.id == first.data["cursor"]
        assert (first.data["state"], first.data["mode"]) == ("ready", "multithread")
        assert re.fullmatch(r"[A-Za-z0-9]+-\d+", first.id)
        assert first.id.rpartition("-")[0] == gw.get("/v1/info")["epoch"]


def test_a_send_is_seen_in_order(gw, multi):
    thread = multi.thread()
    with multi.events() as stream:
        stream.wait("ready")
        sent = multi.say(thread, "Hello")
        created, updated = stream.next(), stream.next()
        assert (created.name, updated.name) == ("message.created", "thread.updated")
        assert created.data["threadId"] == sent["threadId"] and created.data["message"] == sent
        assert updated.data["thread"]["lastMessage"]["id"] == sent["id"] and updated.data["thread"]["state"] == "ready"
        assert offset(created.id) < offset(updated.id)


def test_ids_only_grow(gw, multi):
    with multi.events() as stream:
        thread, at_desk = multi.open()
        for number in range(10):
            multi.say(thread, str(number))
        gw.post(f"{at_desk}/messages", {"text": "last"})
        events = stream.collect(lambda event: event.name == "message.created" and event.data["message"]["text"] == "last")
        offsets = [offset(event.id) for event in events if event.id]
        assert offsets == sorted(offsets)
        logged = [offset(event.id) for event in events if event.name in LOGGED]
        assert len(logged) == len(set(logged))
        assert {event.id.rpartition("-")[0] for event in events if event.id} == {gw.get("/v1/info")["epoch"]}


def test_every_change_is_an_event(gw, multi):
    with multi.events() as stream:
        stream.wait("ready")
        thread = multi.thread(name="One")
        assert stream.wait("thread.created").data["thread"]["name"] == "One"
        message = multi.say(thread, "Secret words")
        stream.wait("message.created")
        gw.patch(f"{thread}/messages/{message['id']}", {"text": "Edited words"})
        assert stream.wait("message.updated").data["message"]["text"] == "Edited words"
        at_desk = f"/v1/desk/threads/{message['threadId']}"
        gw.post(f"{at_desk}/read")
        seen = stream.wait("message.updated").data["message"]
        assert seen["status"] == "seen" and seen["seenAt"]
        gw.post(f"{at_desk}/typing", {"isTyping": True, "agent": {"id": "eve", "name": "Eve"}})
        typing = stream.wait("typing")
        assert typing.id is None and typing.data["isTyping"] is True and typing.data["author"]["name"] == "Eve"
        assert typing.data["author"]["kind"] == "agent" and typing.data["threadId"] == message["threadId"]
        gw.delete(f"{thread}/messages/{message['id']}")
        removed = stream.wait("message.removed").data
        assert removed.pop("actor")["kind"] == "customer"
        assert removed == {"threadId": message["threadId"], "messageId": message["id"]}
        gw.patch(thread, {"name": "Two"})
        stream.collect(lambda event: event.name == "thread.updated" and event.data["thread"].get("name") == "Two")
        gw.put(f"{multi.path}/customer", {"firstName": "Eva"})
        stream.collect(lambda event: event.name == "thread.updated" and event.data["thread"]["members"][0].get("firstName") == "Eva")
        gw.post(f"{at_desk}/assign", {"agent": {"id": "eve", "name": "Eve"}})
        stream.collect(lambda event: event.name == "thread.updated" and event.data["thread"].get("agent", {}).get("id") == "eve")
        gw.post(f"{thread}/archive")
        stream.collect(lambda event: event.name == "thread.updated" and event.data["thread"]["state"] == "closed")


@pytest.mark.parametrize("how", ["Last-Event-ID", "after"])
def test_resume(gw, multi, how):
    thread = multi.thread()
    with multi.events() as stream:
        cursor = stream.wait("ready").id
    for number in range(5):
        multi.say(thread, str(number))
    query, headers = (f"?after={cursor}", {}) if how == "after" else ("", {"Last-Event-ID": cursor})
    with gw.events(f"{multi.path}/events{query}", headers=headers) as stream:
        replayed = stream.collect(lambda event: event.name == "ready")
        assert texts(replayed) == ["0", "1", "2", "3", "4"]
        assert replayed[-1].name == "ready" and offset(replayed[-1].id) >= offset(replayed[-2].id)
        multi.say(thread, "live")
        assert stream.wait("message.created").data["message"]["text"] == "live"
        middle = [event for event in replayed if event.name == "message.created"][2].id
    with gw.events(f"{multi.path}/events", headers={"Last-Event-ID": middle}) as stream:
        assert texts(stream.collect(lambda event: event.name == "ready")) == ["3", "4", "live"]


def test_last_event_id_goes_before_after(gw, multi):
    thread = multi.thread()
    old = gw.get(f"{thread}/messages")["cursor"]
    multi.say(thread, "one")
    new = gw.get(f"{thread}/messages")["cursor"]
    with gw.events(f"{multi.path}/events?after={old}", headers={"Last-Event-ID": new}) as stream:
        assert stream.next().name == "ready"


def test_a_page_and_the_stream_leave_no_gap(gw, multi):
    thread = multi.thread()
    stop = threading.Event()
    sent = []

    def talk():
        for number in range(200):
            sent.append(multi.say(thread, str(number))["id"])
            if stop.is_set():
                break

    talker = threading.Thread(target=talk)
    talker.start()
    try:
        until("some messages", lambda: len(sent) > 5)
        page = gw.get(f"{thread}/messages?limit=200")
        had = [each["id"] for each in page["items"]][::-1]
        with multi.events(f"?after={page['cursor']}") as stream:
            stop.set()
            talker.join()
            rest = sent[len(had):]
            if rest:
                events = stream.collect(lambda event: event.name == "message.created" and event.data["message"]["id"] == rest[-1])
                assert had + [event.data["message"]["id"] for event in events if event.name == "message.created"] == sent
    finally:
        stop.set()
        talker.join()


@pytest.mark.parametrize("reason", ["malformed", "foreignEpoch", "ahead", "expired"])
def test_a_cursor_of_no_use_is_said_to_be(gw, multi, reason):
    info = gw.get("/v1/info").json
    cursor = {"malformed": "no cursor at all", "foreignEpoch": "otherEpoch-1", "ahead": f"{info['epoch']}-{info['head'] + 1_000_000}",
              "expired": f"{info['epoch']}-{info['floor'] - 1}"}[reason]
    if reason == "expired" and info["floor"] < 1:
        pytest.skip("nothing has expired in this young log")
    thread = multi.thread()
    for query, headers in (("", {"Last-Event-ID": cursor}), ("?after=" + cursor.replace(" ", "%20"), {})):
        with gw.events(f"{multi.path}/events{query}", headers=headers) as stream:
            assert stream.status == 200
            first = stream.next()
            assert first.name == "reset" and first.data["reason"] == reason
            assert first.data["snapshot"] == f"{multi.path}/threads"
            assert gw.get(first.data["snapshot"]).status == 200
            multi.say(thread, "live")
            assert stream.wait("message.created").data["message"]["text"] == "live"


def test_only_the_types_asked_for(gw, multi):
    thread = multi.thread()
    with multi.events("?types=message.created,typing") as stream:
        assert stream.next().name == "ready"
        message = multi.say(thread, "one")
        gw.patch(f"{thread}/messages/{message['id']}", {"text": "edited"})
        multi.say(thread, "two")
        assert [stream.next().name, stream.next().name] == ["message.created", "message.created"]
    # The filter changes no id: what it passed over is not replayed by a stream that resumes with it.
    cursor = stream.taken[1].id
    with multi.events(f"?types=message.created&after={cursor}") as stream:
        assert texts(stream.collect(lambda event: event.name == "ready")) == ["two"]


def test_a_removed_text_is_not_replayed(gw, multi):
    thread = multi.thread()
    cursor = gw.get(f"{thread}/messages")["cursor"]
    secret = f"secret-{uuid.uuid4()}"
    message = multi.say(thread, secret)
    gw.patch(f"{thread}/messages/{message['id']}", {"text": f"{secret} again"})
    multi.say(thread, "after")
    gw.delete(f"{thread}/messages/{message['id']}")
    with multi.events(f"?after={cursor}") as stream:
        replayed = stream.collect(lambda event: event.name == "ready")
        assert any(event.name == "message.removed" for event in replayed)
        assert secret not in str([event.data for event in replayed])


def test_connecting_loads_the_threads(gw):
    chat = Chat(gw, "contract-multi", id=f"cust-{uuid.uuid4()}")
    chat.open()
    idle = gw.post("/v1/sessions", {"channel": "contract-multi", "customer": {"id": chat.customer}, "connect": False}).json
    with gw.events(f"/v1/sessions/{idle['id']}/events") as stream:
        assert stream.wait("ready").data["state"] == "prepared"
        gw.post(f"/v1/sessions/{idle['id']}/connect")
        events = stream.collect(lambda event: event.name == "threads.loaded")
        assert events[-1].data == {"count": 1}
        events += stream.quiet()
        assert [event.data["state"] for event in events if event.name == "chat.updated"][-1] == "ready"


def test_deleting_the_session_ends_its_streams(gw, multi):
    with multi.events() as stream, gw.events(f"/v1/sessions/{multi.id}/events", token=multi.token) as second:
        stream.wait("ready"), second.wait("ready")
        gw.delete(multi.path)
        for each in (stream, second):
            assert each.wait("chat.updated").data["state"] == "initial"
            assert each.next() is None


def test_two_devices_see_the_same(gw):
    one = Chat(gw, "contract-multi", id=f"cust-{uuid.uuid4()}")
    two = Chat(gw, "contract-multi", id=one.customer)
    with one.events() as first, two.events() as second:
        first.wait("ready"), second.wait("ready")
        one.say(one.thread(), "to both")
        assert first.wait("message.created").data == second.wait("message.created").data
        assert first.taken[-1].id == second.taken[-1].id


def test_strangers_hear_nothing(gw, multi):
    with Chat(gw, "contract-multi").events() as stream:
        stream.wait("ready")
        multi.open()
        assert stream.quiet() == []


def test_one_stream_for_several(gw):
    a, b, stranger = (Chat(gw, "contract-multi") for _ in "abc")
    with gw.events(f"/v1/events?session={a.id}&session={b.id}&desk=true&types=message.created") as stream:
        ready = stream.next()
        assert ready.name == "ready" and set(ready.data["sessions"]) == {a.id, b.id}
        assert ready.data["sessions"][a.id] == {"state": "ready", "mode": "multithread"}
        for chat, sessions in ((a, [a.id]), (b, [b.id]), (stranger, None)):
            chat.say(chat.thread(), chat.id)
            event = stream.next()
            assert event.data["message"]["text"] == chat.id
            assert event.data.get("sessions") == sessions and event.data.get("desk") is True
            assert list(event.data)[0] == ("sessions" if sessions else "desk")
    with gw.events(f"/v1/events?session={a.id}&session={b.id}&types=message.created&after={ready.id}") as stream:
        replayed = stream.collect(lambda event: event.name == "ready")
        assert texts(replayed) == [a.id, b.id] and all("desk" not in event.data for event in replayed)


def test_one_account_twice_on_one_stream_comes_once(gw):
    one = Chat(gw, "contract-multi", id=f"cust-{uuid.uuid4()}")
    two = Chat(gw, "contract-multi", id=one.customer)
    with gw.events(f"/v1/events?session={one.id}&session={two.id}&types=message.created") as stream:
        stream.wait("ready")
        one.say(one.thread(), "once")
        assert set(stream.next().data["sessions"]) == {one.id, two.id}
        assert stream.quiet() == []


def test_a_stream_of_nothing_is_refused(gw):
    answer = gw.get("/v1/events")
    assert (answer.status, answer.code) == (400, "invalidParameter")


def test_the_desks_stream(gw, multi):
    with gw.events("/v1/desk/events") as stream:
        ready = stream.wait("ready")
        thread = multi.thread()
        multi.say(thread, "to the desk")
        thread_id = thread.rpartition("/")[2].replace("%20", " ")
        mine = lambda event: event.data.get("threadId") == thread_id
        created = stream.collect(lambda event: event.name == "message.created" and mine(event))[-1]
        assert created.data["message"]["text"] == "to the desk"
        gw.post(f"{thread}/typing", {"isTyping": True})
        typing = stream.collect(lambda event: event.name == "typing" and mine(event))[-1]
        assert typing.data["author"]["kind"] == "customer" and typing.id is None
        # A pending thread is not the desk's business: it is not heard of before its first message.
        before = [event for event in stream.taken if "thread" in event.data and event.data["thread"]["id"] == thread_id and offset(event.id) < offset(created.id)]
        assert all(event.data["thread"]["state"] != "pending" for event in before)
    with gw.events(f"/v1/desk/events?after={ready.id}") as stream:
        assert "to the desk" in texts(stream.collect(lambda event: event.name == "ready"))


@pytest.mark.parametrize("path", ["{s}/events", "/v1/events?session={id}", "/v1/desk/events"])
def test_head_of_a_stream_ends(gw, multi, path):
    answer = gw.call("HEAD", path.replace("{s}", multi.path).replace("{id}", multi.id))
    assert answer.status == 200 and answer.kind == "text/event-stream" and answer.body == b""


def test_a_sessions_token_opens_its_stream(gw, multi):
    for path in (f"{multi.path}/events", f"/v1/events?session={multi.id}"):
        with gw.events(path, token=multi.token) as stream:
            assert stream.status == 200 and stream.next().name == "ready"


@pytest.mark.parametrize("headers, status", [({"Authorization": "Bearer nonsense"}, 401), ({"Origin": "https://evil.example"}, 403), ({"Host": "evil.example"}, 421)])
def test_a_stream_is_refused_as_a_problem(gw, multi, headers, status):
    with gw.events(f"{multi.path}/events", headers=headers) as stream:
        assert stream.status == status and stream.problem["status"] == status


def test_streams_are_listed(gw, multi):
    with multi.events() as stream:
        stream.wait("ready")
        entry = until("the stream to be listed", lambda: [each for each in gw.get("/v1/streams")["items"] if multi.id in each.get("sessions", [])])
        assert len(entry) == 1 and entry[0]["bytes"] > 0
    until("the stream to be gone", lambda: not [each for each in gw.get("/v1/streams")["items"] if multi.id in each.get("sessions", [])])


def test_streams_end_when_the_gateway_stops(own):
    chat = Chat(own, "contract-multi")
    with chat.events() as stream:
        stream.wait("ready")
        assert own.stop() == 0
        while stream.next() is not None:
            pass
