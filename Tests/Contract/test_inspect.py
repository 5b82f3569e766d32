"""What the inspector asks: the feed of the whole log, the newest requests, the bodies that are kept, the sandbox's frames."""

import os
import subprocess
import threading
import uuid

import pytest
from chat import Chat, add_channels
from commands import Running, answer, environment, parley
from gateway import DEADLINE, Gateway, binary, until
from platform_client import Failed, PlatformClient, new_id

ROUTES = [
    ("GET", "/v1/requests", None), ("GET", "/v1/requests/1", None), ("PUT", "/v1/requests/capture", {"minutes": 1}),
    ("GET", "/v1/sandbox/sockets", None), ("GET", "/v1/sandbox/frames", None), ("GET", "/v1/events?all=true&after=x", None),
]


@pytest.fixture
def own():
    """A gateway of the test's own: nobody else makes requests."""
    with Gateway() as gateway:
        yield add_channels(gateway)


@pytest.fixture
def talk(own):
    return Chat(own, "contract-multi")


def newest(gateway, path, method="GET"):
    """The newest remembered request of a path."""
    def found():
        return [one for one in gateway.get("/v1/requests")["items"] if one["path"] == path and one["method"] == method]

    return until(f"{method} {path} to be remembered", found)[-1]


@pytest.mark.parametrize("method, path, body", ROUTES)
def test_only_the_gateways_token_opens_it(own, talk, method, path, body):
    refused = own.call(method, path, body, token=talk.token, headers={"Accept": "application/json"}, check=False)
    assert (refused.status, refused.code) == (403, "forbidden")
    assert own.call(method, path, body, token=None, check=False).status == 401


# -- requests

def test_a_request_is_remembered(own, talk):
    thread = talk.thread()
    name = uuid.uuid4().hex
    own.get(f"{thread}/messages?limit=3", token=talk.token, headers={"X-Request-Id": name})
    entry = newest(own, f"{thread}/messages?limit=3")
    assert (entry["id"], entry["status"], entry["token"], entry["session"]) == (name, 200, "session", talk.id)
    assert entry["route"] == "/v1/sessions/{session}/threads/{thread}/messages" and entry["operation"] == "listMessages"
    assert entry["sent"] > 0 and entry["received"] == 0 and entry["microseconds"] > 0 and "127.0.0.1:" in entry["peer"]
    assert own.get(f"/v1/requests?id={name}")["items"] == [entry]
    refused = own.get(f"{thread}/messages/none", check=False)
    entry = newest(own, f"{thread}/messages/none")
    assert entry["problem"] == {"code": refused.code, "detail": refused["detail"]} and entry["status"] == 404
    assert refused["instance"].endswith(entry["id"]), "the id of the problem"


def test_only_the_last_500_stay(own):
    for _ in range(510):
        own.get("/v1/push")
    page = until("all to be remembered", lambda: (page := own.get("/v1/requests"))["last"] >= 510 and page)
    assert len(page["items"]) == 500
    numbers = [one["number"] for one in page["items"]]
    assert numbers == list(range(page["last"] - 499, page["last"] + 1))
    assert own.get(f"/v1/requests/{numbers[0]}")["number"] == numbers[0]
    gone = own.get(f"/v1/requests/{numbers[0] - 1}", check=False)
    assert (gone.status, gone.code) == (404, "notFound")


def test_a_reader_waits_for_the_next_request(own):
    last = own.get("/v1/requests")["last"]
    found = []
    waiting = threading.Thread(target=lambda: found.append(own.get(f"/v1/requests?after={last}&wait=25")))
    waiting.start()
    own.get("/v1/push")
    waiting.join(DEADLINE)
    assert [one["path"] for one in found[0]["items"]] == ["/v1/push"]
    # What is asked here is not remembered, so nobody is woken by own requests.
    assert own.get(f"/v1/requests?after={found[0]['last']}")["items"] == []


def test_waiting_ends_with_the_gateway(own):
    last = own.get("/v1/requests")["last"]
    for path in (f"/v1/requests?after={last}&wait=50", "/v1/sandbox/frames?after=0&wait=50"):
        threading.Thread(target=lambda path=path: own.get(path, check=False), daemon=True).start()
    own.get("/v1/push")  # the others were taken in before this one was answered
    own.stop()  # within its time limit


@pytest.mark.parametrize("query, name", [("after=-1", "after"), ("after=x", "after"), ("wait=51", "wait"), ("wait=1.5", "wait"), ("id=", "id")])
def test_bad_parameters_are_named(own, query, name):
    refused = own.get(f"/v1/requests?{query}", check=False)
    assert refused.status == 400 and refused["errors"][0]["pointer"] == f"?{name}"


def shell(gateway, line, text=""):
    path = f"{os.path.dirname(binary())}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", line], input=text, capture_output=True, text=True, timeout=DEADLINE, env=environment(gateway, PATH=path))
    assert done.returncode == 0, done
    return done.stdout


def test_a_request_is_made_again_by_its_line(own, talk):
    own.put("/v1/requests/capture", {"minutes": 1})
    thread = talk.thread()
    own.post(f"{thread}/messages", {"text": "It's 5 o'clock \"sharp\" $HOME"}, token=talk.token)
    number = newest(own, f"{thread}/messages", "POST")["number"]
    detail = own.get(f"/v1/requests/{number}").json
    assert own.token not in str(detail) and talk.token not in str(detail) and "$(parley token)" in detail["curl"]
    shell(own, detail["curl"])
    shell(own, detail["curl"])  # the same key: once
    texts = [one["text"] for one in own.get(f"{thread}/messages")["items"]]
    assert texts == ["It's 5 o'clock \"sharp\" $HOME"] * 2
    assert detail["curl"] != own.get(f"/v1/requests/{number}")["curl"], "another line has another key"
    assert answer(own, "requests", str(number)).startswith("curl -sS -X POST")


def test_a_body_that_was_not_kept_is_read(own, talk):
    thread = talk.thread()
    own.post(f"{thread}/messages", {"text": "not kept"})
    detail = own.get(f"/v1/requests/{newest(own, f'{thread}/messages', 'POST')['number']}").json
    assert detail["needsBody"] and "requestBody" not in detail and "not kept" not in str(detail)
    shell(own, detail["curl"], '{"text":"from outside"}')
    assert own.get(f"{thread}/messages")["items"][0]["text"] == "from outside"


# -- bodies

def test_bodies_are_kept_for_a_while(own, talk):
    thread = talk.thread()
    assert own.get("/v1/requests")["capture"] == {"bytes": 0}
    state = own.put("/v1/requests/capture", {"minutes": 10}).json
    assert state["until"] > talk.session["createdAt"]
    own.post(f"{thread}/messages", {"text": "kept"})
    number = newest(own, f"{thread}/messages", "POST")["number"]
    detail = own.get(f"/v1/requests/{number}").json
    assert detail["requestBody"] == {"text": '{"text": "kept"}', "size": 16}
    assert '"text":"kept"' in detail["answerBody"]["text"]
    assert own.get("/v1/requests")["capture"]["bytes"] > 16
    assert own.put("/v1/requests/capture", {"minutes": 0}).json == {"bytes": 0}
    assert "requestBody" not in own.get(f"/v1/requests/{number}").json
    refused = own.put("/v1/requests/capture", {"minutes": 61}, check=False)
    assert refused.status == 422 and refused["errors"][0]["pointer"] == "#/minutes"


def test_no_token_is_ever_kept(own):
    own.put("/v1/requests/capture", {"minutes": 10})
    session = own.post("/v1/sessions", {"channel": "contract-multi"}).json
    hook = own.post("/v1/webhooks", {"url": "http://127.0.0.1:9/x", "types": ["message.created"]}).json
    own.get(f"/v1/sessions/{session['id']}?token={session['token']}", check=False)
    own.get(f"/auth/{session['token']}", token=None, check=False)
    own.post("/v1/webhooks/x/rotate", check=False)
    newest(own, "/v1/webhooks/x/rotate", "POST")
    page = own.get("/v1/requests").json
    everything = str(page) + str([own.get(f"/v1/requests/{one['number']}").json for one in page["items"]])
    for secret in (own.token, session["token"], session["token"].rpartition(".")[2], hook["secret"]):
        assert secret not in everything


# -- the log

def test_the_feed_of_all_events(own, talk):
    start = own.get("/v1/info").json
    other = Chat(own, "contract-single")
    thread, at_desk = talk.open()
    other.say(f"{other.path}/threads/{own.get(f'{other.path}/threads')['items'][0]['id']}", "another customer's")
    cursor = f"{start['epoch']}-{start['head']}"
    page = own.get(f"/v1/events?all=true&after={cursor}&limit=500", headers={"Accept": "application/json"}).json
    ids = [one["id"] for one in page["items"]]
    assert len(ids) == len(set(ids)) and ids == sorted(ids, key=lambda id: int(id.rpartition("-")[2]))
    created = [one["data"] for one in page["items"] if one["type"] == "message.created"]
    assert [one["message"]["text"] for one in created] == ["Hello", "another customer's"]
    assert created[0]["customer"]["id"] == talk.customer and created[0]["channel"] == "contract-multi"
    assert created[0]["desk"] and created[0]["loggedAt"] >= talk.session["createdAt"]
    desk = own.get(f"/v1/desk/events?after={cursor}&limit=500", headers={"Accept": "application/json"}).json
    assert {one["id"] for one in desk["items"]} <= set(ids)
    for query in ("all=true&desk=true", f"all=true&session={talk.id}"):
        refused = own.get(f"/v1/events?{query}", check=False)
        assert refused.status == 400 and refused["errors"][0]["pointer"] == "?all"


def test_it_goes_on_after_its_ring_was_left(own, talk):
    thread = talk.thread()
    for number in range(300):
        talk.say(thread, str(number))
    own.restart()  # the ring is empty: all comes from the database
    with own.events("/v1/events?all=true&earliest=true&types=message.created") as stream:
        events = stream.collect(lambda event: event.name == "ready")
        assert [event.data["message"]["text"] for event in events[:-1]] == [str(number) for number in range(300)]
        talk.say(thread, "live")
        assert stream.next().data["message"]["text"] == "live"
    kinds = own.get("/v1/events?all=true&last=2&types=message.created", headers={"Accept": "application/json"})["items"]
    assert [one["data"]["message"]["text"] for one in kinds] == ["299", "live"]


def test_it_is_among_the_open_streams(own):
    with own.events("/v1/events?all=true") as stream:
        stream.wait("ready")
        assert [one["kind"] for one in own.get("/v1/streams")["items"]] == ["log"]


# -- the sandbox

def test_sockets_and_frames_of_the_sandbox(own):
    assert own.get("/v1/sandbox/sockets")["items"] == []
    with PlatformClient(own, "contract-multi") as client:
        client.connect()
        client.authorize()
        client.send(new_id(), "Where is my order?")
        client.push("MessageCreated")
        [socket] = own.get("/v1/sandbox/sockets")["items"]
        assert socket["channel"] == "contract-multi" and socket["platform"] == "ios" and socket["received"] == 2
        page = own.get("/v1/sandbox/frames").json
        assert {one["socket"] for one in page["items"] if one["kind"] == "frame"} == {socket["number"]}
        types = [(one["direction"], one.get("type")) for one in page["items"]]
        assert ("toSandbox", "SendMessage") in types and ("toClient", "MessageCreated") in types
        assert own.get(f"/v1/sandbox/frames?after={page['last']}")["items"] == []
    until("the socket to be gone", lambda: own.get("/v1/sandbox/sockets")["items"] == [])


def test_no_frame_has_a_token(own):
    client = PlatformClient(own, "contract-multi", authorization="oauth")
    client.connect()
    with pytest.raises(Failed):  # it is looked for elsewhere
        client.ask("AuthorizeCustomer", {"authorizationCode": "secret-code-4711"})
    text = str(own.get("/v1/sandbox/frames").json)
    assert "AuthorizeCustomer" in text and "secret-code-4711" not in text
    client.close()


def test_without_a_sandbox_there_is_nothing_of_it():
    with Gateway(program=binary()) as gateway:
        assert gateway.get("/v1/sandbox/frames", check=False).code == "notFound"
        assert gateway.get("/v1/requests").status == 200
        for words in (["faults"], ["faults", "add", "refuse"], ["faults", "scripts", "stop", "x"], ["sandbox", "frames", "--follow"],
                      ["sandbox", "reset", "--yes"]):
            done = parley(gateway, *words)
            assert done.returncode == 1 and "--cxone-sandbox" in done.stderr, words


# -- the commands

def test_requests_on_the_command_line(own):
    own.get("/v1/push")
    newest(own, "/v1/push")
    rows = [line.split("\t") for line in answer(own, "requests").splitlines()]
    assert any(row[4:7] == ["GET", "/v1/push", "gateway"] and row[2] == "200" for row in rows)
    assert answer(own, "requests", "-o", "id").split() == [row[0] for row in rows]
    with Running(own, "requests", "--follow", "-o", "jsonl") as running:
        for _ in rows:
            running.line()
        own.get("/v1/services/none", check=False)
        assert '"path":"/v1/services/none"' in running.line()


def test_tail_of_all(own, talk):
    thread = talk.thread()
    talk.say(thread, "one")
    talk.say(thread, "two")
    lines = answer(own, "tail", "--all", "--types", "message.created", "-n", "2", "--no-follow", "-q").splitlines()
    assert [line.split("\t")[1] for line in lines] == ["message.created"] * 2
    assert parley(own, "tail", "--all", "--desk").returncode == 64
