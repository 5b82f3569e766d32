"""Planned work: nobody changes conversations, everybody can read, and what is refused can be sent again."""

import pytest
from chat import Chat, add_channels
from gateway import Gateway
from keys import Key
from test_reload import Configured

NOTE = "We are back at ten."


@pytest.fixture(scope="module")
def configured(tmp_path_factory):
    made = Configured(tmp_path_factory.mktemp("maintenance"))
    made.gateway.options += ["--mcp", "write"]
    with made.gateway as gateway:
        add_channels(gateway)
        yield made


@pytest.fixture
def gw(configured):
    yield configured.gateway
    configured.reload({})


def refused(answer):
    assert (answer.status, answer.code, answer["detail"]) == (503, "maintenance", NOTE), answer
    assert answer.header("Retry-After") == "30"
    return True


def test_customers_and_agents_only_read(configured, gw, multi):
    thread, at_desk = multi.open()
    agent = Key(gw, "desk.write")
    writes = [
        (f"{thread}/messages", {"text": "Hello?"}, multi.token),
        (f"{thread}/read", None, multi.token),
        (f"{multi.path}/threads", None, multi.token),
        (f"{at_desk}/messages", {"text": "Yes?"}, agent.text),
    ]
    with gw.events(f"{multi.path}/events", token=multi.token) as events:
        configured.reload({"maintenance": NOTE})
        assert all(refused(gw.post(path, body, token=token)) for path, body, token in writes)
        assert refused(gw.delete(multi.path, token=multi.token))
        for path, token in ((f"{thread}/messages", multi.token), (f"{at_desk}/messages", agent.text)):
            assert gw.get(path, token=token).status == 200
        assert gw.get("/v1/info", token=multi.token)["maintenance"] == NOTE
        assert gw.get("/readyz", token=None).status == 200
        # Whoever runs the gateway tries what was done, and the stream that was open tells of it.
        assert gw.post(f"{at_desk}/messages", {"text": "A trial"}).status == 201
        events.wait("message.created")
    configured.reload({})
    assert "maintenance" not in gw.get("/v1/info", token=multi.token).json
    assert [gw.post(path, body, token=token).status for path, body, token in writes] == [201, 204, 201, 201]


def test_a_message_that_was_refused_is_sent_with_its_key(configured, gw, multi):
    thread = multi.thread()
    key = {"Idempotency-Key": "sent-later"}
    configured.reload({"maintenance": NOTE})
    assert refused(gw.post(f"{thread}/messages", {"text": "Hello?"}, token=multi.token, headers=key))
    configured.reload({})
    assert gw.post(f"{thread}/messages", {"text": "Hello?"}, token=multi.token, headers=key).status == 201
    assert len(gw.get(f"{thread}/messages", token=multi.token)["items"]) == 1


def test_a_batch_and_an_assistant_are_held_up_too(configured, gw, multi):
    thread, _ = multi.open()
    configured.reload({"maintenance": NOTE})
    parts = gw.post("/v1/batch", {"requests": [
        {"method": "GET", "path": f"{thread}/messages"},
        {"method": "POST", "path": f"{thread}/messages", "body": {"text": "Hello?"}},
    ]}, token=multi.token)["items"]
    assert [part["status"] for part in parts] == [200, 503]
    chat = Key(gw, "desk.write", "desk.read").post("/mcp", {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "send_message", "arguments": {"chat": thread.rpartition("/")[2], "text": "Hello"}}})
    assert "maintenance" in chat.text and chat["result"]["isError"], chat.text


def test_nobody_begins(configured, gw):
    made = gw.post("/v1/desk/channels", {
        "id": "shop", "name": "Shop", "mode": "multithread", "visitors": {"public": True, "origins": ["https://shop.example"]}})
    assert made.status == 201, made.text
    configured.reload({"maintenance": NOTE})
    assert refused(gw.post("/v1/visitors", {"channel": "shop"}, token=None))
    configured.reload({})
    assert gw.post("/v1/visitors", {"channel": "shop"}, token=None).status == 201


def test_it_holds_over_a_restart():
    with Gateway(options=["--maintenance", NOTE]) as gateway:
        add_channels(gateway)
        chat = Chat(gateway, "contract-multi")
        assert refused(gateway.post(f"{chat.path}/threads", token=chat.token))


def test_a_note_is_short(configured, gw):
    assert "at most 500 bytes" in configured.reload({"maintenance": "x" * 501}, says="settings were not read anew")
