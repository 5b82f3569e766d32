"""10,000 open streams at once."""

import resource

import pytest
from serving import Chat, Gateway, until
from streams import Crowd, connect

STREAMS = 10_000
BROADCAST = 1_000  # streams on one session
SESSIONS = 90  # that share the others
SOURCES = [f"127.0.0.{number}" for number in range(2, 10)]


@pytest.fixture
def descriptors():
    """The test's own limit and, by inheritance, that of the gateway before it raises its own."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < STREAMS + 500:
        pytest.skip(f"RLIMIT_NOFILE's hard limit is {hard}; {STREAMS} streams need {STREAMS + 500}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (STREAMS + 500, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_ten_thousand_streams(descriptors):
    def few():
        # As an ordinary shell would start it: raising the limit is the gateway's own task.
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    with Gateway(preexec_fn=few) as gateway:
        everybody = Chat(gateway)
        chats = [Chat(gateway) for _ in range(SESSIONS)]
        lonely = Chat(gateway)
        gateway.get("/v1/info")
        until("the connections of the setup to be closed", lambda: gateway.metrics()["parley_http_connections"] <= 1)
        before = gateway.descriptors()
        base = gateway.resident()

        got = {}  # member: texts

        def take(member, event):
            if event.name == "message.created":
                got.setdefault(member, []).append(event.json["message"]["text"])

        crowd = Crowd(take)
        owners = [everybody] * BROADCAST + [lonely]
        owners += [chats[number % SESSIONS] for number in range(STREAMS - len(owners))]
        for number, owner in enumerate(owners):
            crowd.add(connect(gateway.host, gateway.port, f"{owner.path}/events", owner.token,
                              source=SOURCES[number % len(SOURCES)]), owner)
        crowd.wait_ready(120)
        assert gateway.metrics()["parley_streams"] == STREAMS
        print(f"{STREAMS} streams: {(gateway.resident() - base) / STREAMS / 1024:.1f} KiB each")

        def expect(what, count):
            crowd.read(what, lambda: sum(map(len, got.values())) >= count, 60)

        # One to one.
        thread = lonely.thread()
        lonely.say(thread, "for one")
        expect("the message at its one stream", 1)
        # One to a thousand.
        shared = everybody.thread()
        everybody.say(shared, "for a thousand")
        expect("the broadcast at each of its streams", 1 + BROADCAST)
        # One to each session: whatever strayed earlier is found now, in front of these.
        for number, chat in enumerate(chats):
            chat.say(chat.thread(), f"for session {number}")
        expect("every session's message at all of its streams", STREAMS)

        texts = {everybody: ["for a thousand"], lonely: ["for one"]}
        texts.update({chat: [f"for session {number}"] for number, chat in enumerate(chats)})
        for member in crowd.members:
            assert got.get(member) == texts[member.key], f"a stream got {got.get(member)}, should be {texts[member.key]}"
        assert not any(member.is_gone for member in crowd.members)

        crowd.close()
        until("all streams to be gone", lambda: gateway.metrics()["parley_streams"] == 0, 45)
        until("all connections to be closed", lambda: gateway.metrics()["parley_http_connections"] <= 1, 45)
        until("all descriptors to be free", lambda: gateway.descriptors() <= before + 4, 45)
        # And there is room again.
        chat = chats[0]
        crowd = Crowd(take)
        for _ in range(100):
            crowd.add(connect(gateway.host, gateway.port, f"{chat.path}/events", chat.token), chat)
        crowd.wait_ready()
        crowd.close()


def test_streams_beyond_the_limit_are_refused():
    with Gateway(arguments=["--stream-limit", "50"]) as gateway:
        chat = Chat(gateway)
        crowd = Crowd(lambda member, event: None)
        for _ in range(50):
            crowd.add(connect(gateway.host, gateway.port, f"{chat.path}/events", gateway.token))
        crowd.wait_ready()
        refused = gateway.get(f"{chat.path}/events")
        assert refused.status == 503 and refused.code == "tooManyStreams"
        assert gateway.get("/v1/info").status == 200, "requests have room of their own"
        crowd.close()
        until("the streams to be gone", lambda: gateway.metrics()["parley_streams"] == 0)
        with_room = Crowd(lambda member, event: None)
        with_room.add(connect(gateway.host, gateway.port, f"{chat.path}/events", chat.token))
        with_room.wait_ready()
        with_room.close()
