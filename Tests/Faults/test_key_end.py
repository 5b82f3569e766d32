"""A key that ends while much is open by it, and while gateways take over from each other."""

import contextlib
import time

from postgres import needs_postgres, postgres  # noqa: F401  (a fixture)
from serving import Chat, Gateway, until
from standby import pair  # noqa: F401  (a fixture)
from streams import Crowd, Stream, connect

STREAMS = 1_000


def make(gateway, *scopes):
    made = gateway.post("/v1/keys", {"name": "test", "scopes": list(scopes)})
    assert made.status == 201, made
    return made["id"], made["secret"]


def test_a_thousand_streams_end_with_their_key():
    with Gateway() as gateway, contextlib.ExitStack() as closing:
        key, text = make(gateway, "sessions.read", "desk.read")
        chat = Chat(gateway)
        thread = chat.thread()
        last = {}

        def take(member, event):
            assert last.get(member) != "access.ended", f"{event} came after the end"
            last[member] = event.name

        crowd = Crowd(take)
        closing.callback(crowd.close)
        for number in range(STREAMS):
            path = f"{chat.path}/events" if number % 2 else "/v1/desk/events"
            crowd.add(connect(gateway.host, gateway.port, path, text), number)
        crowd.wait_ready(60)
        chat.say(thread, "while they last")
        begun = time.monotonic()
        assert gateway.call("DELETE", f"/v1/keys/{key}").status == 204
        chat.say(thread, "when they are gone")
        crowd.read("the end of each stream", lambda: all(member.is_gone for member in crowd.members), 30)
        print(f"{STREAMS} streams had ended after {time.monotonic() - begun:.2f} s")
        assert set(last.values()) == {"access.ended"} and len(last) == STREAMS
        until("the streams to be gone", lambda: gateway.metrics()["parley_streams"] == 0)
        assert gateway.call("GET", chat.path, token=text).status == 401


@needs_postgres
def test_what_a_gateway_has_ended_the_next_one_does_not_open(pair):  # noqa: F811
    first, second = pair
    ended, ended_text = make(first, "desk.read")
    _, kept = make(first, "desk.read")
    assert first.call("GET", "/v1/desk/threads", token=ended_text).status == 200
    assert first.call("DELETE", f"/v1/keys/{ended}").status == 204
    first.kill()
    until("the standby to serve", lambda: second.call("GET", "/readyz", token=None).status == 200)
    assert second.call("GET", "/v1/desk/threads", token=ended_text).status == 401
    assert second.call("GET", "/v1/desk/threads", token=kept).status == 200
    with Stream(second, "/v1/desk/events", token=kept) as stream:
        stream.ready()
        id = next(each["id"] for each in second.get("/v1/keys")["items"])
        assert second.call("DELETE", f"/v1/keys/{id}").status == 204
        assert [event.name for event in stream.rest()][-1] == "access.ended"
