"""Threads of several customers, replies and resets over HTTP: paths, keys, times and streams."""

import uuid

from chat import Chat


def group(gw, **more):
    """Two customers and a thread of theirs: their sessions, and the thread's id."""
    people = [Chat(gw, "contract-multi", id=f"cust / {uuid.uuid4()}") for _ in "ab"]
    body = {"channel": "contract-multi", "members": [{"id": each.customer} for each in people], **more}
    answer = gw.post("/v1/desk/threads", body)
    assert answer.status == 201 and answer.header("Location") == f"/v1/desk/threads/{answer['id']}"
    return people, answer["id"]


def test_each_member_hears_of_the_thread_once(gw):
    one, two = (Chat(gw, "contract-multi", id=f"cust-{uuid.uuid4()}") for _ in "ab")
    with one.events() as first, two.events() as second:
        first.wait("ready"), second.wait("ready")
        thread = gw.post("/v1/desk/threads", {"channel": "contract-multi", "members": [{"id": one.customer}, {"id": two.customer}]})["id"]
        gw.post(f"/v1/desk/threads/{thread}/messages", {"text": "Welcome"})
        for stream in (first, second):
            events = stream.collect(lambda event: event.name == "thread.updated")
            assert [event.name for event in events] == ["thread.created", "message.created", "thread.updated"]
            assert events[-1].data["thread"]["unreadCount"] == 1


def test_a_member_is_named_in_the_path_whatever_the_id(gw):
    (one, two), thread = group(gw)
    with two.events() as stream:
        stream.wait("ready")
        assert gw.delete(f"/v1/desk/threads/{thread}/members/{two.customer.replace(' ', '%20').replace('/', '%2F')}").status == 204
        assert stream.wait("thread.removed").data == {"threadId": thread, "actor": {"id": "agent", "name": "Agent", "kind": "agent"}}
    assert gw.get(f"{two.path}/threads/{thread}").code == "unknownThread"
    assert [each["id"] for each in gw.get(f"{one.path}/threads/{thread}")["members"]] == [one.customer]


def test_a_reply_that_is_repeated_by_its_key_is_one(gw, multi):
    thread, _ = multi.open()
    message = gw.get(f"{thread}/messages")["items"][0]["id"]
    replies, key = f"{thread}/messages/{message}/replies", {"Idempotency-Key": str(uuid.uuid4())}
    first = gw.post(replies, {"text": "Reply"}, headers=key)
    again = gw.post(replies, {"text": "Reply"}, headers=key)
    assert (first.status, again.status) == (201, 201) and again.header("Idempotency-Replayed") == "true"
    assert first.header("Location") == again.header("Location") == f"{thread}/messages/{first['id']}"
    assert gw.get(first.header("Location")).json == first.json
    page = gw.get(replies).json
    assert [each["id"] for each in page["items"]] == [first["id"]] and page["parent"]["replyInfo"]["count"] == 1


def test_replies_are_paged_by_time_without_a_loss(gw, multi):
    thread, _ = multi.open()
    message = gw.get(f"{thread}/messages")["items"][0]["id"]
    replies = f"{thread}/messages/{message}/replies"
    sent = [gw.post(replies, {"text": str(number), "alsoInThread": number % 2 == 0})["id"] for number in range(30)]
    seen, start = [], "0"
    while True:
        page = gw.get(f"{replies}?from={start}&previous=0&next=7").json
        seen += [each["id"] for each in page["items"] if each["id"] not in seen]
        if not page["hasNext"]:
            break
        start = page["items"][-1]["createdAt"]
    assert seen == sent
    newest = gw.get(f"{replies}?previous=5&reverse=true").json
    assert [each["id"] for each in newest["items"]] == sent[:-6:-1] and newest["hasPrevious"] and not newest["hasNext"]
    assert len(gw.get(f"{thread}/messages?replies=all")["items"]) == 31
    assert len(gw.get(f"{thread}/messages")["items"]) == 16
    assert len(gw.get(f"{thread}/messages?replies=none")["items"]) == 1


def test_a_reset_changes_the_list_and_its_tag(gw):
    (one, two), thread = group(gw)
    one.say(f"{one.path}/threads/{thread}", "Old")
    mine, theirs = f"{one.path}/threads/{thread}/messages", f"{two.path}/threads/{thread}/messages"
    tag = gw.get(mine).header("ETag")
    assert gw.get(mine, headers={"If-None-Match": tag}).status == 304
    assert gw.post(f"{one.path}/threads/{thread}/resetHistory").status == 204
    after = gw.get(mine, headers={"If-None-Match": tag})
    assert after.status == 200 and after["items"] == []
    assert len(gw.get(theirs)["items"]) == 1
    assert gw.post(f"/v1/desk/threads/{thread}/resetHistory").status == 204
    assert gw.get(theirs)["items"] == gw.get(f"/v1/desk/threads/{thread}/messages")["items"] == []


def test_who_comes_back_after_a_reset_sees_another_list_under_another_tag(gw):
    (one, _), thread = group(gw)
    one.say(f"{one.path}/threads/{thread}", "Old")
    mine = f"{one.path}/threads/{thread}/messages"
    assert gw.post(f"{one.path}/threads/{thread}/resetHistory").status == 204
    tag = gw.get(mine).header("ETag")
    assert gw.post(f"{one.path}/threads/{thread}/leave").status == 204
    assert gw.post(f"/v1/desk/threads/{thread}/members", {"members": [{"id": one.customer}]}).status == 200
    after = gw.get(mine, headers={"If-None-Match": tag})
    assert after.status == 200 and [each["text"] for each in after["items"]] == ["Old"]


def test_hidden_until_the_next_message(gw):
    (one, two), thread = group(gw)
    assert gw.post(f"{one.path}/threads/{thread}/hide")["hidden"] is True
    two.say(f"{two.path}/threads/{thread}", "Hello")
    assert "hidden" not in gw.get(f"{one.path}/threads/{thread}").json
