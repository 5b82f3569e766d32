"""Webhooks: what is sent, to whom, in which order, and what becomes of it when the receiver fails."""

import base64
import itertools
import json
import socket
import subprocess
import sys
import threading

import pytest
from chat import Chat, add_channels
from document import PATH
from gateway import Gateway, until
from receiver import Receiver

COUNT = itertools.count(1)


class Hook:
    """A webhook at a receiver of its own."""

    def __init__(self, gateway, receiver, **body):
        self.gateway, self.receiver = gateway, receiver
        answer = gateway.post("/v1/webhooks", {"id": f"hook-{next(COUNT)}", "url": receiver.url, **body})
        assert answer.status == 201, answer
        self.path = f"/v1/webhooks/{answer['id']}"
        self.id, self.secret = answer["id"], answer["secret"]
        receiver.secrets.append(self.secret)

    def post(self, action, body=None, **more):
        return self.gateway.post(f"{self.path}/{action}", body, **more)

    @property
    def json(self):
        return self.gateway.get(self.path).json

    def deliveries(self, query=""):
        return self.gateway.get(f"{self.path}/deliveries{query}")["items"]


@pytest.fixture
def receiver():
    with Receiver() as receiver:
        yield receiver


@pytest.fixture
def hook(gw, receiver):
    hook = Hook(gw, receiver)
    yield hook
    gw.delete(hook.path)


def messages(text):
    return lambda request: request.type == "message.created" and request.data["message"].get("text") == text


# -- what a webhook is


def test_is_made_read_changed_and_deleted(gw):
    with Receiver() as receiver:
        body = {"id": f"made-{next(COUNT)}", "url": receiver.url, "description": "Leads", "types": ["message.created"],
                "directions": ["toAgent"], "channels": ["contract-multi"], "headers": {"X-Key": "value-4711"}}
        made = gw.post("/v1/webhooks", body)
        path = f"/v1/webhooks/{body['id']}"
        assert made.status == 201 and made.header("Location") == path and made.header("Cache-Control") == "no-store"
        assert len(base64.b64decode(made["secret"].removeprefix("whsec_"))) == 32
        assert made["headerNames"] == ["X-Key"] and made["audience"] == {"desk": True} and made["state"] == "active"

        read = gw.get(path)
        assert read.json == {name: value for name, value in made.json.items() if name != "secret"}
        assert gw.get(path, headers={"If-None-Match": read.header("ETag")}).status == 304
        assert body["id"] in [each["id"] for each in gw.all("/v1/webhooks")]

        again = gw.post("/v1/webhooks", body)
        assert again.status == 200 and again["secret"] == made["secret"]
        assert gw.post("/v1/webhooks", {**body, "description": "Others"}).code == "webhookExists"

        old = {"If-Match": read.header("ETag")}
        patched = gw.patch(path, {"description": None, "types": None, "headers": {"X-Other": "b"}}, headers=old)
        assert patched.status == 200 and "description" not in patched.json and len(patched["types"]) == 9
        assert patched["headerNames"] == ["X-Key", "X-Other"] and "secret" not in patched.json
        assert gw.patch(path, {"concurrency": 1}, headers=old).code == "preconditionFailed"
        assert gw.patch(path, {"headers": {"x-key": None}})["headerNames"] == ["X-Other"]

        assert gw.delete(path).status == 204
        assert gw.get(path).code == "unknownWebhook" and gw.delete(path).code == "unknownWebhook"


@pytest.mark.parametrize("url", [
    "http://169.254.169.254/latest", "http://[fe80::1]/", "http://0.0.0.0:9/", "http://user:pass-4711@127.0.0.1:9/", "ftp://127.0.0.1/",
    "http://metadata.google.internal/", "http://[::ffff:169.254.169.254]/", "http://2852039166/", "http://224.0.0.1/", "/hook"])
def test_refuses_addresses(gw, url):
    answer = gw.post("/v1/webhooks", {"url": url})
    assert (answer.status, answer.code, answer["errors"][0]["pointer"]) == (422, "targetNotAllowed", "#/url")
    assert "4711" not in answer.text and "latest" not in answer.text


def test_refuses_the_gateway_itself(gw):
    for host in ("127.0.0.1", "[::ffff:127.0.0.1]", "127.1"):
        assert gw.post("/v1/webhooks", {"url": f"http://{host}:{gw.port}/v1/events"}).code == "targetNotAllowed"
    # A name is looked up at each connection.
    made = gw.post("/v1/webhooks", {"url": f"http://localhost:{gw.port}/"})
    assert made.status == 201
    test = gw.post(f"/v1/webhooks/{made['id']}/test")
    assert test["attempts"][0]["error"] == "addressRefused" and test["state"] == "dead"
    gw.delete(f"/v1/webhooks/{made['id']}")


@pytest.mark.parametrize("body, code, pointer", [
    ({}, "missingMember", "#/url"), ({"url": 1}, "invalidValue", "#/url"), ({"types": ["typing"]}, "invalidValue", "#/types/0"),
    ({"headers": {"Host": "a"}}, "invalidValue", "#/headers/Host"), ({"headers": {"A": "b\nc"}}, "invalidValue", "#/headers/A"),
    ({"directions": []}, "invalidValue", "#/directions"), ({"concurrency": 65}, "invalidValue", "#/concurrency"),
    ({"timeoutSeconds": 0}, "invalidValue", "#/timeoutSeconds"), ({"description": None}, "invalidValue", "#/description"),
    ({"audience": {}}, "invalidValue", "#/audience"), ({"audience": {"desk": False}}, "invalidValue", "#/audience"),
    ({"after": "x"}, "invalidValue", "#/after"), ({"id": "a/b"}, "invalidValue", "#/id"), ({"secret": "x"}, "unknownMember", "#/secret"),
])
def test_says_what_is_wrong_with_settings(gw, body, code, pointer):
    answer = gw.post("/v1/webhooks", {**({"url": "http://127.0.0.1:9/"} if code != "missingMember" else {}), **body})
    assert (answer.status, answer.code, answer["errors"][0]["pointer"]) == (422, code, pointer), answer


def test_unknown_things(gw, hook):
    assert gw.post("/v1/webhooks", {"url": "http://127.0.0.1:9/", "audience": {"session": "none"}}).code == "unknownSession"
    for action in ("test", "pause", "resume", "rotate"):
        assert gw.post(f"/v1/webhooks/none/{action}").code == "unknownWebhook"
    assert gw.get("/v1/webhooks/none/deliveries").code == "unknownWebhook"
    for id in ("none", "99999999"):
        assert gw.get(f"{hook.path}/deliveries/{id}").code == "unknownDelivery"
        assert hook.post(f"deliveries/{id}/redeliver").code == "unknownDelivery"
    for after in ("other-1", f"{hook.json['cursor'].rpartition('-')[0]}-999999999"):
        assert hook.post("replay", {"after": after}).code == "cursorExpired"
        assert gw.post("/v1/webhooks", {"url": "http://127.0.0.1:9/", "after": after}).code == "cursorExpired"
    for body in ({}, {"after": hook.json["cursor"], "since": "2026-05-04T09:30:00.000Z"}):
        assert hook.post("replay", body).status == 422


def test_there_are_at_most_a_hundred(own):
    for _ in range(100):
        assert own.post("/v1/webhooks", {"url": "http://127.0.0.1:9/"}).status == 201
    assert own.post("/v1/webhooks", {"url": "http://127.0.0.1:9/"}).code == "tooManyWebhooks"
    first = own.get("/v1/webhooks?limit=60")
    second = own.get(first.link("next"))
    assert len({each["id"] for each in first["items"] + second["items"]}) == 100 and "next" not in second.json


# -- what is sent


def test_every_event_is_sent_as_the_stream_has_it(gw, hook, receiver):
    with gw.events("/v1/desk/events") as stream:
        stream.wait("ready")
        chat = Chat(gw, "contract-multi", firstName="Ann")
        thread, at_desk = chat.open(name="Hooked")
        said = chat.say(thread, "Where is it?")
        gw.patch(f"{thread}/messages/{said['id']}", {"text": "Where is my order?"})
        gw.post(f"{at_desk}/messages", {"text": "On its way."})
        gw.delete(f"{thread}/messages/{said['id']}")
        own = thread.rpartition("/")[2]

        def concerns(data):
            return own in (data.get("threadId"), data.get("thread", {}).get("id"))

        seen = []
        while not (seen and seen[-1].name == "message.removed"):
            event = stream.next()
            if event.id and concerns(event.data):
                seen.append(event)
        got = {}
        while seen[-1].id not in got:
            request = receiver.next()
            if concerns(request.data):
                got.setdefault(request.id, request)
    # What was removed meanwhile is not sent any more; all else is there, word for word.
    for event in seen:
        if event.id in got:
            assert (got[event.id].type, got[event.id].data) == (event.name, event.data)
        else:
            assert said["id"] in json.dumps(event.data)
    for request in got.values():
        assert request.headers["content-type"] == "application/json" and "." not in request.id


def test_filters_and_own_headers(gw):
    with Receiver() as receiver:
        hook = Hook(gw, receiver, types=["message.created"], directions=["toAgent"], channels=["contract-multi"],
                    headers={"Authorization": "Bearer own-4711"})
        elsewhere = gw.post("/v1/desk/channels", {"id": f"elsewhere-{next(COUNT)}", "mode": "multithread"})["id"]
        chat, other = Chat(gw, "contract-multi"), Chat(gw, elsewhere)
        other.say(other.thread(), "elsewhere")
        thread, at_desk = chat.open()
        gw.post(f"{at_desk}/messages", {"text": "to the customer"})
        chat.say(thread, "the last")
        last = receiver.until(messages("the last"))
        assert last.headers["authorization"] == "Bearer own-4711" and last.path == "/hook?key=in-the-url"
        assert all(each.type == "message.created" and each.data["message"]["direction"] == "toAgent"
                   and each.data["channel"] == "contract-multi" for each in receiver.requests)
        assert len(receiver.requests) == 2
        gw.delete(hook.path)


def test_a_sessions_events(gw):
    with Receiver() as receiver:
        chat, other = Chat(gw, "contract-multi"), Chat(gw, "contract-multi")
        hook = Hook(gw, receiver, audience={"session": chat.id})
        other.open()
        thread, _ = chat.open(name="Mine")
        own = thread.rpartition("/")[2]
        request = receiver.until(messages("Hello"))
        assert request.data["threadId"] == own and "channel" not in request.data
        created = next(each for each in receiver.requests if each.type == "thread.created")
        assert created.data["thread"]["id"] == own and "unreadCount" in created.data["thread"]
        gw.delete(hook.path)


def test_begins_where_it_is_told(gw):
    chat = Chat(gw, "contract-multi")
    cursor = gw.get("/v1/info").header("Parley-Cursor") or gw.get("/v1/desk/threads")["cursor"]
    thread, _ = chat.open()
    chat.say(thread, f"before {chat.id}")
    with Receiver() as receiver:
        hook = Hook(gw, receiver, after=cursor)
        receiver.until(messages(f"before {chat.id}"))
        gw.delete(hook.path)


def test_order_within_a_thread(gw):
    """Many threads at once, a receiver that takes its time: each thread in order, one request of it at a time."""
    busy, lock, overlaps = set(), threading.Lock(), []

    def answer(request):
        thread = request.data.get("threadId") or request.data["thread"]["id"]
        with lock:
            if thread in busy:
                overlaps.append(request)
            busy.add(thread)
        threading.Event().wait(0.01)
        with lock:
            busy.discard(thread)
        return 204

    with Receiver(answer) as receiver:
        hook = Hook(gw, receiver)
        chat = Chat(gw, "contract-multi")
        threads = [chat.open()[0] for _ in range(5)]
        for number in range(10):
            for thread in threads:
                chat.say(thread, f"{number}")
        until("all to arrive", lambda: hook.json["lag"] == 0 and len(
            [each for each in receiver.requests if each.type == "message.created" and each.data["threadId"] in
             [thread.rpartition("/")[2] for thread in threads]]) >= 55)
        offsets = {}
        for request in receiver.requests:
            thread = request.data.get("threadId") or request.data["thread"]["id"]
            offsets.setdefault(thread, []).append(int(request.id.rpartition("-")[2]))
        assert all(each == sorted(set(each)) for each in offsets.values()) and overlaps == []
        gw.delete(hook.path)


# -- actions


def test_test(gw, hook, receiver):
    answer = hook.post("test")
    request = receiver.until(lambda each: each.type == "webhook.test")
    assert answer["state"] == "delivered" and answer["event"] == request.id and request.data == {"webhookId": hook.id}
    receiver.answer = lambda request: (503, {}, b"not now")
    failed = hook.post("test")
    assert failed["state"] == "dead" and failed["attempts"][0]["status"] == 503 and failed["attempts"][0]["head"] == "not now"
    assert hook.json["state"] == "active" and receiver.until(lambda each: each.id == failed["event"])


def test_pause_and_resume(gw, hook, receiver):
    with gw.events("/v1/desk/events?types=webhook.updated") as stream:
        stream.wait("ready")
        assert hook.post("pause")["state"] == "paused"
        assert (told := stream.wait("webhook.updated")).data["state"] == "paused" and told.data["id"] == hook.id
        chat = Chat(gw, "contract-multi")
        thread, _ = chat.open()
        chat.say(thread, "while paused")
        assert receiver.quiet() == [] and hook.json["lag"] >= 2
        assert hook.post("resume")["state"] == "active"
        assert stream.wait("webhook.updated").data["state"] == "active"
    receiver.until(messages("while paused"))


def test_rotation(gw, hook, receiver):
    old = hook.secret
    key = {"Idempotency-Key": f"rotate-{hook.id}"}
    rotated = hook.post("rotate", {"graceSeconds": 600}, headers=key)
    new = rotated["secret"]
    assert new != old and "secret" not in hook.json
    again = hook.post("rotate", {"graceSeconds": 600}, headers=key)
    assert again["secret"] == new and again.header("Idempotency-Replayed") == "true"
    receiver.secrets = [old]
    hook.post("test")
    request = receiver.until(lambda each: each.type == "webhook.test")
    assert request.is_signed_with(old) and request.is_signed_with(new)
    assert len(request.headers["webhook-signature"].split(" ")) == 2

    newest = hook.post("rotate", {"graceSeconds": 0})["secret"]
    receiver.secrets = [newest]
    hook.post("test")
    request = receiver.until(lambda each: each.type == "webhook.test")
    assert request.is_signed_with(newest) and not request.is_signed_with(new) and not request.is_signed_with(old)


def test_replay(gw, hook, receiver):
    cursor = hook.json["cursor"]
    chat = Chat(gw, "contract-multi")
    thread, _ = chat.open()
    chat.say(thread, "once more")
    first = receiver.until(messages("once more"))
    until("it to be recorded", lambda: hook.json["lag"] == 0)
    hook.post("replay", {"after": cursor})
    second = receiver.until(messages("once more"))
    assert (second.id, second.body) == (first.id, first.body)
    until("it to be recorded", lambda: hook.json["lag"] == 0)
    hook.post("replay", {"since": first.json["timestamp"]})
    assert receiver.until(messages("once more")).id == first.id
    rows = [each for each in hook.deliveries() if each["event"] == first.id]
    assert len(rows) == 1


# -- failures


def test_500_then_recovery(gw, hook, receiver):
    failing = True
    receiver.answer = lambda request: (500, {}, b"broken") if failing else 204
    with gw.events("/v1/desk/events?types=webhook.updated") as stream:
        stream.wait("ready")
        chat = Chat(gw, "contract-multi")
        thread, _ = chat.open()
        for number in range(3):
            chat.say(thread, f"kept {number}")
        while (told := stream.wait("webhook.updated")).data["id"] != hook.id:
            pass
        assert told.data["state"] == "failing"
        state = hook.json
        assert state["state"] == "failing" and state["failingSince"] and state["nextAttemptAt"] and state["lag"] > 0
        failing = False
        while (told := stream.wait("webhook.updated", 30)).data["id"] != hook.id:
            pass
        assert told.data["state"] == "active"
    receiver.until(messages("kept 2"))
    until("it to be recorded", lambda: hook.json["lag"] == 0)
    tried = [each for each in hook.deliveries() if len(each["attempts"]) > 1]
    assert tried and all(each["attempts"][0]["status"] == 500 and each["attempts"][0]["head"] == "broken" for each in tried)
    assert all(each["state"] == "delivered" for each in hook.deliveries())


def test_the_event_alone_is_refused_and_redelivered(gw, hook, receiver):
    receiver.answer = lambda request: (422, {"webhook-delivery": "abort-message"}, b"") if messages("bad")(request) else 204
    chat = Chat(gw, "contract-multi")
    thread, _ = chat.open()
    chat.say(thread, "bad")
    chat.say(thread, "good")
    receiver.until(messages("good"))
    dead = until("it to be dead", lambda: hook.deliveries("?state=dead"))
    assert len(dead) == 1 and dead[0]["reason"] == "aborted" and dead[0]["threadId"] == thread.rpartition("/")[2]
    assert gw.get(f"{hook.path}/deliveries/{dead[0]['id']}").json == dead[0]
    assert hook.json["state"] == "active"

    receiver.answer = lambda request: 204
    assert hook.post("deliveries/redeliver", {"state": "dead"})["count"] == 1
    assert receiver.until(messages("bad")).id == dead[0]["event"]
    done = until("it to be delivered", lambda: [
        each for each in hook.deliveries("?state=delivered") if each["id"] == dead[0]["id"]])
    assert len(done[0]["attempts"]) == 2
    again = hook.post(f"deliveries/{dead[0]['id']}/redeliver", headers={"Idempotency-Key": f"again-{hook.id}"})
    assert again.status == 200 and receiver.until(messages("bad")).id == dead[0]["event"]
    page = gw.get(f"{hook.path}/deliveries?limit=1")
    assert len(page["items"]) == 1 and gw.get(page.link("next"))["items"][0]["id"] != page["items"][0]["id"]


def test_gone_is_disabled(gw, hook, receiver):
    receiver.answer = lambda request: 410
    Chat(gw, "contract-multi").open()
    until("it to be disabled", lambda: hook.json["state"] == "disabled")
    assert hook.json["reason"] == "gone"
    receiver.answer = lambda request: 204
    receiver.quiet(0.2)
    assert hook.post("resume")["state"] == "active"
    receiver.until(messages("Hello"))


def test_redirects_are_not_followed(gw, hook, receiver):
    with Receiver() as elsewhere:
        for target in ("http://169.254.169.254/latest/meta-data", elsewhere.url):
            receiver.answer = lambda request: (307, {"Location": target}, b"")
            answer = hook.post("test")
            assert answer["state"] == "dead" and answer["attempts"][0]["status"] == 307
            assert answer["attempts"][0]["milliseconds"] < 5000
        assert elsewhere.requests == []


def test_a_removed_message_is_not_sent(gw, hook, receiver):
    word = f"secret-{next(COUNT)}"
    receiver.answer = lambda request: (500, {}, request.body)
    chat = Chat(gw, "contract-multi")
    thread, _ = chat.open()
    said = chat.say(thread, word)
    until("it to wait", lambda: [each for each in hook.deliveries("?state=pending") if each["type"] == "message.created"])
    gw.delete(f"{thread}/messages/{said['id']}")
    receiver.answer = lambda request: 204
    hook.post("resume")
    hook.post("pause")
    hook.post("resume")
    receiver.until(lambda each: each.type == "message.removed" and each.data["messageId"] == said["id"])
    assert word not in str(hook.deliveries())


def test_a_restart_loses_nothing(own):
    chat = Chat(own, "contract-multi")
    with Receiver(lambda request: 503) as receiver:
        hook = Hook(own, receiver)
        thread, _ = chat.open()
        for number in range(20):
            chat.say(thread, f"kept {number}")
        own.kill()
        receiver.answer = lambda request: 204
        own.start()
        until("all to arrive", lambda: {f"kept {number}" for number in range(20)} <= {
            each.data["message"].get("text") for each in receiver.requests if each.type == "message.created"})
        assert own.stop() == 0


# -- secrets


def test_secrets_are_told_nowhere(tmp_path):
    with Gateway(tmp_path) as gateway, Receiver(lambda request: 500) as receiver:
        add_channels(gateway)
        gateway.put("/v1/log", {"level": "trace"}, check=False)
        hook = Hook(gateway, receiver, headers={"Authorization": "Bearer own-4711"})
        chat = Chat(gateway, "contract-multi")
        chat.open()
        new = hook.post("rotate")["secret"]
        receiver.secrets.append(new)
        receiver.next()
        hook.post("test")
        answers = [gateway.get(path).text for path in (
            "/v1/webhooks", hook.path, f"{hook.path}/deliveries", "/metrics")]
        answers.append(gateway.patch(hook.path, {"headers": {"X-A": "b"}}).text)
        answers += [hook.post("pause").text, hook.post("resume").text]
        gateway.stop()
        log = (tmp_path / "stderr.log").read_text()
        hidden = [hook.secret, new, "own-4711"]
        hidden += [secret.removeprefix("whsec_") for secret in (hook.secret, new)]
        for text in [*answers, log]:
            assert not any(secret in text for secret in hidden)
        assert "in-the-url" not in log and "in-the-url" not in answers[3] and "127.0.0.1" in log
        database = b"".join(path.read_bytes() for path in (tmp_path / "data").glob("parley.sqlite*"))
        assert not any(secret.encode() in database for secret in hidden if secret != "own-4711")


def test_metrics_name_no_target(gw, hook, receiver):
    hook.post("test")
    text = gw.get("/metrics").text
    assert 'parley_delivery_attempts_total{kind="webhook",outcome="delivered"}' in text
    for name in ('parley_deliveries_pending{kind="webhook"}', "parley_delivery_lag_events",
                 'parley_delivery_targets{kind="webhook",state="active"}',
                 'parley_delivery_attempt_duration_seconds_count{kind="webhook"}'):
        assert f"\n{name} " in text
    assert hook.id not in text


def test_the_receiver_of_the_article(gw, tmp_path):
    article = (PATH.parents[1] / "Sources/parley/Parley.docc/Webhooks.md").read_text()
    (tmp_path / "receiver.py").write_text(article.split("```python\n")[1].split("```")[0])
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    hook = gw.post("/v1/webhooks", {"url": f"http://127.0.0.1:{port}/"})
    path = f"/v1/webhooks/{hook['id']}"

    def run(secret):
        return subprocess.Popen([sys.executable, str(tmp_path / "receiver.py"), secret, str(port)], stdout=subprocess.PIPE, text=True)

    def answer():
        return gw.post(f"{path}/test")["attempts"][0].get("status")

    for secret, status in ((hook["secret"], 204), ("whsec_" + base64.b64encode(b"another key").decode(), 401)):
        process = run(secret)
        try:
            assert until("the receiver to listen", answer) == status
            if status == 204:
                assert process.stdout.readline().startswith("webhook.test {")
        finally:
            process.terminate()
            process.communicate()
    gw.delete(path)
