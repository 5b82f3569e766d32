"""Two gateways on one PostgreSQL database: one serves it, the other takes over."""

import contextlib
import itertools
import signal
import sqlite3

from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, Gone, in_threads, until
from standby import LOST, on, pair, ready, standby, text_of  # noqa: F401  (a fixture)
from streams import Stream
from test_platform_away import address, far  # noqa: F401  (a fixture)

pytestmark = needs_postgres


def test_a_standby_says_so(pair):
    first, second = pair
    assert second.call("GET", "/livez", token=None).status == 200
    for made, active in ((first, b"parley_gateway_active 1"), (second, b"parley_gateway_active 0")):
        shown = made.call("GET", "/metrics")
        assert shown.status == 200 and active in shown.body and b"process_resident_memory_bytes " in shown.body, shown
    assert b"parley_lease_fence 1\n" in first.call("GET", "/metrics").body
    assert second.call("GET", "/metrics", token=None).code == "standby"
    assert second.call("GET", "/metrics", token="wrong").code == "standby"
    for method, path in [("GET", "/readyz"), ("GET", "/v1/sessions"), ("POST", "/v1/sessions"), ("GET", "/nowhere")]:
        answer = second.call(method, path)
        assert (answer.status, answer.code) == (503, "standby"), (path, answer)
        assert int(answer.headers["Retry-After"]) >= 1


def test_a_standby_that_cannot_open_the_store_says_why_and_does_not_end_at_once(pair, postgres):  # noqa: F811
    first, second = pair
    postgres.ask("ALTER TABLE tombstone RENAME TO taken_away")
    first.kill()
    second.wait_for_log("could not take over")
    answer = second.call("GET", "/readyz", token=None)
    assert answer.code == "standby" and "could not take over" in answer.json["detail"], answer
    # It has given the lease back, and still answers.
    assert second.call("GET", "/livez", token=None).status == 200
    second.process.send_signal(signal.SIGTERM)
    assert second.process.wait(20) == LOST


def test_a_hang_up_ends_no_gateway(pair):
    """SIGHUP lets both read their settings anew: the active one, and the one that waits."""
    first, second = pair
    for made in (first, second):
        made.process.send_signal(signal.SIGHUP)
        made.wait_for_log("settings were read anew")
    assert first.call("GET", "/readyz", token=None).status == 200
    assert second.call("GET", "/livez", token=None).status == 200


def test_the_token_is_exchanged_on_both_gateways(pair, postgres):  # noqa: F811
    """One after the other; the database learns it, and lets a gateway take over that has it."""
    first, second = pair
    former = first.token
    present = "B" * 42 + "A"

    def give(made, *tokens):
        (made.folder / "token").write_text("".join(f"{token}\n" for token in tokens))
        count = sum("settings were read anew" in line for line in made.log_file.read_text().splitlines())
        made.process.send_signal(signal.SIGHUP)
        until("the tokens to be read", lambda: sum(
            "settings were read anew" in line for line in made.log_file.read_text().splitlines()) > count)

    for made in (second, first):
        give(made, present, former)
    for made in (second, first):
        give(made, present)
    assert [first.call("GET", "/v1/info", token=token).status for token in (former, present)] == [401, 200]
    # The standby shows its tokens to the database anew.
    count = second.log_file.read_text().count("message=standby")
    postgres.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
    until("the standby to be back", lambda: second.log_file.read_text().count("message=standby") > count)
    ready(first)
    first.kill()
    second.token = present
    ready(second)
    assert [second.call("GET", "/v1/info", token=token).status for token in (former, present)] == [401, 200]


def words(made):
    """The texts in the gateway's search index."""
    # The index may not be made yet.
    with contextlib.suppress(sqlite3.OperationalError), \
            contextlib.closing(sqlite3.connect(f"file:{made.folder}/search.sqlite?mode=ro", uri=True)) as index:
        return {text for text, in index.execute("SELECT body FROM words")}
    return set()


def test_a_standby_keeps_its_search_index_current(pair):
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    for text in ["before", "later"]:
        chat.say(thread, text)
        until("the words in the standby's index", lambda text=text: text in words(second))
    first.kill()
    ready(second)
    # The first answer, not one that was waited for: the index was not built anew.
    found = second.get(f"{chat.path}/search?q=before", token=chat.token)
    assert [hit["message"]["text"] for hit in found["items"]] == ["before"], found
    assert int(found["indexedTo"].rpartition("-")[2] or 0) > 0


def test_sockets_to_a_platform_are_closed_without_a_database(pair, postgres, far):  # noqa: F811
    first, _ = pair
    session = first.post("/v1/sessions", address(far, customer={"id": "ann"}))
    assert session["state"] == "ready", session
    path = f"/v1/sessions/{session['id']}"
    sockets = lambda: far.get("/v1/sandbox/sockets")["items"]  # noqa: E731
    [before] = sockets()
    postgres.stop()
    until("the socket to be closed", lambda: sockets() == [], 20)
    postgres.start()
    ready(first, 20)
    [after] = until("the socket to be back", sockets, 20)
    assert after["number"] != before["number"]
    until("the session to be ready", lambda: first.get(path)["state"] == "ready", 20)


def test_sessions_and_streams_go_on_after_kill(pair):
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    with Stream(first, f"{chat.path}/events", chat.token) as stream:
        stream.ready()
        sent = [chat.say(thread, f"before {number}")["id"] for number in range(20)]
        seen = stream.collect(lambda event: event.name == "message.created" and sent[9] in event.data.decode())
    # Not the stream's last id: that may be of an event which was received and not looked at.
    last = seen[-1].id
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
    assert [text_of(event) for event in created] == [f"before {number}" for number in range(10, 20)] + ["after"]
    offsets = [event.offset for event in events if event.offset]
    assert offsets == sorted(set(offsets)) and offsets[0] > max(seen)


def load(gateway, chat, threads, acknowledged):
    """Sends one message after the other into each thread until the gateway goes away. Returns what waits for the end. Each
    text is added to `acknowledged` once its message is stored."""

    def send(thread):
        client = gateway.client(chat.token)
        with contextlib.suppress(Gone), contextlib.closing(client):
            for number in itertools.count():
                text = f"{thread} {number}"
                if client.call("POST", chat.messages_path(thread), {"text": text}).status == 201:
                    acknowledged.append(text)

    return in_threads(send, threads)


def test_nothing_is_lost_or_doubled_when_it_is_killed_under_load(pair):
    first, second = pair
    chats = [Chat(first) for _ in range(4)]
    threads = {chat.id: [chat.thread() for _ in range(3)] for chat in chats}
    acknowledged = {chat.id: [] for chat in chats}
    streams = [Stream(first, f"{chat.path}/events", chat.token) for chat in chats]
    try:
        for stream in streams:
            stream.ready()
        joins = [load(first, chat, threads[chat.id], acknowledged[chat.id]) for chat in chats]
        # In the middle of the load, as each stream shows it.
        seen = [stream.collect(lambda event, some=itertools.count(): event.name == "message.created" and next(some) == 30)
                for stream in streams]
        first.kill()
        for join in joins:
            join()
        # What was on its way when it died.
        for stream, events in zip(streams, seen, strict=True):
            events += stream.rest()
        last = [stream.last_id for stream in streams]
    finally:
        for stream in streams:
            stream.close()
    seconds = ready(second)
    print(f"ready after {seconds:.1f} s, {sum(map(len, acknowledged.values()))} messages were acknowledged")
    for chat, events, id in zip(chats, seen, last, strict=True):
        moved = on(second, chat)
        stored = [message["text"] for thread in threads[chat.id] for message in moved.history(thread)]
        assert len(stored) == len(set(stored)), "a message is there twice"
        assert set(acknowledged[chat.id]) <= set(stored), "an acknowledged message is lost"
        end = moved.say(threads[chat.id][0], "the end")["text"]
        with Stream(second, f"{chat.path}/events", chat.token, last_id=id) as stream:
            events += stream.collect(lambda event: event.name == "message.created" and text_of(event) == end)
        assert not [event for event in events if event.name == "reset"]
        created = [text_of(event) for event in events if event.name == "message.created"]
        assert sorted(created) == sorted([*stored, end]), "the two streams together have each message once"
        offsets = [event.offset for event in events if event.offset]
        assert offsets == sorted(set(offsets))


def test_streams_outlive_an_outage_of_the_database(pair, postgres):  # noqa: F811
    first, second = pair
    chat = Chat(first)
    thread = chat.thread()
    with Stream(first, f"{chat.path}/events", chat.token) as stream:
        stream.ready()
        before = chat.say(thread, "before")["id"]
        stream.collect(lambda event: event.name == "message.created" and before in event.data.decode())
        postgres.stop()
        until("the gateway to be suspended",
              lambda: first.call("GET", "/readyz", token=None).code == "standby", 20)
        answer = first.post(chat.messages_path(thread), {"text": "meanwhile"}, token=chat.token)
        assert (answer.status, answer.code) == (503, "standby")
        assert int(answer.headers["Retry-After"]) >= 1
        assert first.call("GET", "/livez", token=None).status == 200
        postgres.start()
        ready(first, 20)
        # The standby has left the lease to its holder, and a client that comes to it is still sent away.
        assert second.call("GET", "/readyz", token=None).code == "standby"
        after = chat.say(thread, "after")["id"]
        events = stream.collect(lambda event: event.name == "message.created" and after in event.data.decode())
    assert [event.name for event in events if event.name == "reset"] == []
    assert [text_of(event) for event in events if event.name == "message.created"] == ["after"]
    assert [message["text"] for message in chat.history(thread)] == ["before", "after"]
    first.wait_for_log("suspended")
    first.wait_for_log("resumed")


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


def test_the_standby_dies_before_it_takes_over(pair):
    first, second = pair
    first.signal(signal.SIGUSR2)
    first.wait_for_log("handing over to a standby")
    second.kill()
    first.wait_for_log("the standby is gone: this gateway goes on")
    assert first.call("GET", "/readyz", token=None).status == 200
    # Nothing is left of the note: another one that comes later waits.
    standby(second)
    assert first.call("GET", "/readyz", token=None).status == 200
