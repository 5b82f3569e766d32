"""Several requests as one: each is checked and answered as if it had come alone."""

import json

import pytest
from chat import Chat
from gateway import Gateway
from keys import Key


@pytest.fixture
def chat(gw):
    return Chat(gw, "contract-multi")


def run(gw, *requests, **more):
    """A batch of `(method, path, members)`."""
    parts = [{"method": method, "path": path, **(members[0] if members else {})} for method, path, *members in requests]
    return gw.post("/v1/batch", {"requests": parts}, **more)


def items(gw, *requests, **more):
    answer = run(gw, *requests, **more)
    assert answer.status == 200, answer.text
    return answer["items"]


def statuses(gw, *requests, **more):
    return [one["status"] for one in items(gw, *requests, **more)]


def test_the_answers_are_those_of_single_requests(gw, chat):
    thread, desk = chat.open()
    paths = [chat.path, thread, f"{thread}/messages?limit=5", f"{desk}/messages", "/v1/desk/tags", f"{chat.path}/nothing", f"{thread}?unknown=1"]
    for path, one in zip(paths, items(gw, *(("GET", path) for path in paths))):
        alone = gw.get(path)
        assert one["status"] == alone.status
        assert one.get("version") == alone.header("ETag") and one.get("location") == alone.header("Location")
        assert {**one["body"], "instance": None} == {**alone.json, "instance": None}, path


def test_what_stands_first_happens_first_and_failures_are_its_own(gw, chat):
    thread, _ = chat.open()
    say = f"{thread}/messages"
    answers = items(
        gw, ("POST", say, {"body": {"text": "one"}}), ("POST", say, {"body": {"txt": "wrong"}}), ("POST", say, {"body": {"text": "two"}}),
        ("POST", say), ("POST", f"{thread}/read"), ("GET", say))
    assert [one["status"] for one in answers] == [201, 422, 201, 400, 204, 200]
    assert answers[0]["location"].endswith(answers[0]["body"]["id"]) and answers[1]["body"]["errors"][0]["pointer"] in ("#/txt", "#/text")
    assert "body" not in answers[4]
    assert [one["text"] for one in answers[5]["body"]["items"]][:2] == ["two", "one"]


def test_a_key_makes_a_part_happen_once_and_a_version_is_compared(gw, chat):
    thread, _ = chat.open()
    part = ("POST", f"{thread}/messages", {"body": {"text": "once"}, "idempotencyKey": "batch-once"})
    [first, again] = items(gw, part, part)
    assert first["body"]["id"] == again["body"]["id"]
    version = gw.get(thread).header("ETag")
    rename = {"body": {"name": "New"}}
    assert statuses(gw, ("PATCH", thread, {**rename, "ifMatch": '"other"'}), ("PATCH", thread, {**rename, "ifMatch": version})) == [412, 200]


def test_each_part_has_the_rights_of_the_batch(gw, chat):
    other = Chat(gw, "contract-multi")
    mine = statuses(gw, ("GET", chat.path), ("GET", other.path), ("GET", "/v1/desk/threads"), ("GET", "/v1/keys"), token=chat.token)
    assert mine == [200, 403, 403, 403]
    key = Key(gw, "desk.read")
    assert statuses(gw, ("GET", "/v1/desk/tags"), ("POST", "/v1/desk/tags", {"body": {"name": "x"}}), ("GET", chat.path), token=key.text) == [200, 403, 403]
    for token in (None, "wrong"):
        assert run(gw, ("GET", "/v1/info"), token=token).status == 401
    # A session that ends itself opens nothing behind that.
    assert statuses(gw, ("GET", chat.path), ("DELETE", chat.path), ("GET", chat.path), token=chat.token) == [200, 204, 401]


def test_pages_of_others_send_none(gw, chat):
    answer = run(gw, ("GET", chat.path), token=chat.token, headers={"Origin": "https://evil.example"})
    assert answer.status == 403 and answer.code == "foreignOrigin"


def test_streams_files_uploads_and_batches_come_alone(gw, chat):
    thread, _ = chat.open()
    file = chat.upload(b"hello")["id"]
    inner = {"requests": [{"method": "GET", "path": "/v1/info"}]}
    parts = [
        ("GET", f"{chat.path}/events"), ("GET", f"/v1/events?session={chat.id}&wait=50"), ("POST", "/v1/batch", {"body": inner}),
        ("POST", f"{chat.path}/attachments", {"body": {}}), ("GET", f"{chat.path}/attachments/{file}"), ("GET", f"{thread}/transcript?format=text"),
    ]
    answers = items(gw, *parts, ("GET", chat.path))
    assert [one["status"] for one in answers] == [406] * len(parts) + [200]
    assert {one["body"]["code"] for one in answers[:-1]} == {"notAcceptable"}


def test_it_has_bounds(gw, chat):
    one = ("GET", "/v1/info")
    assert statuses(gw, *[one] * 20) == [200] * 20
    assert run(gw, *[one] * 21).code == "invalidValue" and run(gw).code == "invalidValue"
    for path in ("/", "/metrics", "v1/info", "http://127.0.0.1/v1/info", "/v1/info#x", "/v1/in fo", "/v1/\r\nX: y", "/v1/" + "a" * 9000, "/v1/ü"):
        assert run(gw, ("GET", path)).code == "invalidValue", path
    for members in ({"idempotencyKey": "a\r\nb"}, {"ifMatch": "ü"}, {"idempotencyKey": ""}):
        assert run(gw, ("GET", "/v1/info", members)).code == "invalidValue", members
    assert run(gw, ("GET", "/v1/info", {"headers": {"Host": "x"}})).code == "unknownMember"
    assert run(gw, ("OPTIONS", "/v1/info")).code == "invalidValue"
    thread, _ = chat.open()
    for _ in range(10):
        chat.say(thread, "x" * 65_000)
    found = statuses(gw, *[("GET", f"{thread}/messages")] * 20)
    assert found == [200] + [406] * 19, "a page has 650 kB"
    # What was written is told in any case, so less room is left for what is read; a write that finds none is not carried out.
    say = ("POST", f"{thread}/messages", {"body": {"text": "y" * 40_000}})
    assert statuses(gw, say, ("GET", f"{thread}/messages"), say, say) == [201, 406, 201, 406]
    assert [one["text"][0] for one in gw.get(f"{thread}/messages?limit=3")["items"]] == ["y", "y", "x"]


def test_the_parts_are_remembered_with_numbers_of_their_own(gw, chat):
    statuses(gw, ("GET", chat.path), ("GET", f"{chat.path}/threads/none"), headers={"X-Request-Id": "batch-of-two"})
    found = {one["id"]: one for one in gw.get("/v1/requests")["items"]}
    assert [(found[f"batch-of-two{end}"]["method"], found[f"batch-of-two{end}"]["status"]) for end in ("", ".1", ".2")] == [("POST", 200), ("GET", 200), ("GET", 404)]


def test_a_long_id_is_cut_for_the_positions(gw, chat):
    statuses(gw, ("GET", chat.path), headers={"X-Request-Id": "b" * 128})
    found = {one["id"] for one in gw.get("/v1/requests")["items"]}
    assert {"b" * 128, "b" * 125 + ".1"} <= found


@pytest.mark.parametrize("text", ["plain", 'quotes " and \\ and / and <b>', "\u00fc \u20ac \U0001f44b\u200d \u2028", "a\nb\tc\x01"])
def test_a_key_is_the_same_in_a_batch_and_alone(gw, chat, text):
    """A page whose batch broke may say the same alone: as JSON.stringify writes it."""
    thread, _ = chat.open()
    body = {"text": text}
    [first] = items(gw, ("POST", f"{thread}/messages", {"body": body, "idempotencyKey": "batch-or-alone"}))
    raw = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    again = gw.call("POST", f"{thread}/messages", raw=raw, headers={"Idempotency-Key": "batch-or-alone", "Content-Type": "application/json"})
    assert (first["status"], again.status, again["id"]) == (201, 201, first["body"]["id"])


def test_a_sessions_token_writes_no_more_than_alone():
    with Gateway(options=["--message-burst", "3", "--messages-per-hour", "1"]) as own:
        own.post("/v1/desk/channels", {"id": "few", "mode": "multithread"})
        chat = Chat(own, "few")
        thread, _ = chat.open()
        say = ("POST", f"{thread}/messages", {"body": {"text": "again"}})
        answers = items(own, *[say] * 5, token=chat.token)
        assert [one["status"] for one in answers] == [201, 201, 201, 429, 429]
        assert answers[3]["body"]["code"] == "tooManyWrites" and answers[3]["retryAfter"] > 0


def test_what_an_administrator_does_in_one_is_written_down(own):
    statuses(own, ("POST", "/v1/desk/channels", {"body": {"id": "by-batch", "mode": "multithread"}}), ("PATCH", "/v1/desk/channels/none", {"body": {"name": "x"}}))
    [newest, *_] = own.get("/v1/audit?limit=5")["items"]
    assert (newest["action"], newest["subject"]) == ("channel.created", "by-batch")


def test_on_the_customers_host_it_opens_nothing_else():
    with Gateway(options=["--customer-host", "chat.shop.example"]) as own:
        own.post("/v1/desk/channels", {"id": "help", "mode": "multithread", "visitors": {"public": True}})
        theirs = {"Host": "chat.shop.example"}
        made = own.call("POST", "/v1/visitors", {"channel": "help"}, token=None, headers=theirs)
        paths = [f"/v1/sessions/{made['session']}", "/v1/info", "/v1/desk/threads", "/v1/keys"]
        assert statuses(own, *(("GET", path) for path in paths), token=made["token"], headers=theirs) == [200, 404, 404, 404]
