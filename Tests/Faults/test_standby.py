"""Two gateways on one PostgreSQL database: one serves it, the other takes over."""

import contextlib
import shutil
import signal
import time

import pytest
from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, Gateway, Gone, until
from streams import Stream

pytestmark = needs_postgres

#: The exit status of a gateway that has lost the lease.
LOST = 75


def gateway(server, name, like=None):
    """A gateway on the server's database. Another one's key and token make its sessions' tokens valid here."""
    made = Gateway(arguments=["--store", server.address, "--gateway-name", name])
    if like:
        made.folder.mkdir(parents=True, mode=0o700)
        for secret in ["key", "token"]:
            shutil.copy(like.folder / secret, made.folder / secret)
    return made


def standby(made):
    """Starts the process, and waits until it answers as a standby."""
    made.launch()

    def answers():
        made._is_ready()
        with contextlib.suppress(Gone, AttributeError):
            return made.call("GET", "/readyz", token=None).code == "standby"

    until("the standby to answer", answers)
    made.token = (made.folder / "token").read_text().strip()
    return made


@pytest.fixture
def pair(postgres):  # noqa: F811
    """The active gateway and a standby."""
    first = gateway(postgres, "one")
    try:
        first.start()
        second = gateway(postgres, "two", like=first)
        try:
            yield first, standby(second)
        finally:
            second.close()
    finally:
        first.close()


def ready(made, seconds=10):
    """How long it took until the gateway was ready."""
    begin = time.monotonic()
    until("the other gateway to be ready", made._is_ready, seconds)
    return time.monotonic() - begin


def on(made, chat):
    """The same session, asked for at another gateway."""
    moved = object.__new__(Chat)
    moved.__dict__.update(chat.__dict__, gateway=made)
    return moved


def test_a_standby_says_so(pair):
    _, second = pair
    assert second.call("GET", "/livez", token=None).status == 200
    for method, path in [("GET", "/readyz"), ("GET", "/v1/sessions"), ("POST", "/v1/sessions"), ("GET", "/nowhere")]:
        answer = second.call(method, path)
        assert (answer.status, answer.code) == (503, "standby"), (path, answer)
        assert int(answer.headers["Retry-After"]) >= 1


def test_sessions_and_streams_go_on_after_kill(pair):
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    with Stream(first, f"{chat.path}/events", chat.token) as stream:
        stream.ready()
        sent = [chat.say(thread, f"before {number}")["id"] for number in range(20)]
        seen = stream.collect(lambda event: event.name == "message.created" and sent[9] in event.data.decode())
        last = stream.last_id
    seen = [event.offset for event in seen if event.offset]
    first.kill()
    print(f"ready after {ready(second):.1f} s")
    moved = on(second, chat)
    assert [message["text"] for message in moved.history(thread)] == [f"before {number}" for number in range(20)]
    after = moved.say(thread, "after")["id"]
    with Stream(second, f"{chat.path}/events", chat.token, last_id=last) as stream:
        events = stream.collect(lambda event: event.name == "message.created" and after in event.data.decode())
    assert not [event for event in events if event.name == "reset"], events
    created = [event for event in events if event.name == "message.created"]
    texts = [event.json["data"]["message"]["text"] if "data" in event.json else event.json["message"]["text"]
             for event in created]
    assert texts == [f"before {number}" for number in range(10, 20)] + ["after"]
    offsets = [event.offset for event in events if event.offset]
    assert offsets == sorted(set(offsets)) and offsets[0] > max(seen)


def test_a_lease_is_given_back(pair):
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    chat.say(thread, "before")
    assert first.stop() == 0
    ready(second)
    assert on(second, chat).say(thread, "after")


def test_a_paused_gateway_steps_down(pair, postgres):  # noqa: F811
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    chat.say(thread, "before")
    first.signal(signal.SIGSTOP)
    try:
        # Its connection lives, so its lock is held: only the lease runs out.
        ready(second, 20)
        moved = on(second, chat)
        moved.say(thread, "between")
        before = postgres.ask("SELECT count(*) FROM committed WHERE gateway = 'one'")
    finally:
        first.signal(signal.SIGCONT)
    # It may be asked before it has found out.
    with contextlib.suppress(Gone):
        answer = first.post(chat.messages_path(thread), {"text": "too late"}, token=chat.token)
        assert answer.status >= 500, answer
    assert first.wait() == LOST
    assert "stepping down" in first.log()
    assert postgres.ask("SELECT count(*) FROM committed WHERE gateway = 'one'") == before
    assert [message["text"] for message in moved.history(thread)] == ["before", "between"]
    moved.say(thread, "after")
